"""The licences of the installed packages."""

from labyrinth_envs.licences import licences


def test_licences_names_that_of_every_package() -> None:
    told = {one["name"].lower(): one["licence"] for one in licences()}
    assert told["pydantic"] == "MIT"
    assert "unknown" not in told.values()
    if "nle" in told:
        assert "NETHACK GENERAL PUBLIC" in told["nle"].upper()
