"""Whether a client is given one more session: the limits of the server and of a client's key."""

from __future__ import annotations

from collections.abc import Collection

from labyrinth_envs.sessions import Session


def why_full(
    client: str, sessions: Collection[Session], most: int, of_a_client: int | None, clients: int
) -> str | None:
    """Why this client is given no further session, or None.

    Of `most` sessions one client may hold `of_a_client`; by default half of them where there are several clients.
    """
    live = [session for session in sessions if session.ended is None]
    if len(live) >= most:
        return f"the server holds {len(live)} sessions and no more; close one, or start it with a higher --max-sessions"
    share = of_a_client or (most if clients == 1 else max(1, most // 2))
    if sum(session.client == client for session in live) >= share:
        return f"this client holds {share} sessions, of which the server gives it no more; close one"
    return None
