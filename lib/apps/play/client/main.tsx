/// <reference lib="dom" />
/** The play page: the choice of a game, or the game of the link after `#`. */

import { type JSX, render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useData } from "../../view/client/data.ts";
import { Await, go } from "../../view/client/kit.tsx";
import type { Offer } from "../server.ts";
import { Game, send } from "./game.tsx";

function Page(): JSX.Element {
  const [link, setLink] = useState(linkHere);
  useEffect(() => addEventListener("hashchange", () => setLink(linkHere())), []);
  const offer = useData<Offer>(OFFER);
  return (
    <>
      <header class="top">
        <a class="brand" href="#">
          <img src="icon.svg" alt="" width="22" height="22" /> Labyrinth
        </a>
        <nav aria-label="pages">
          <a href="#" aria-current={link === "" ? "page" : undefined}>
            {link === "" ? "Games" : "Another game"}
          </a>
        </nav>
      </header>
      <main>
        {link === ""
          ? <Await of={offer}>{(data) => <Start offer={data} />}</Await>
          : <Game key={link} link={link} />}
      </main>
    </>
  );
}

const OFFER = ["offer"];

function linkHere(): string {
  return location.hash.replace(/^#\/?/, "");
}

function Start({ offer: { games, consent } }: { readonly offer: Offer }): JSX.Element {
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);

  async function begin(form: FormData): Promise<void> {
    setBusy(true);
    setProblem("");
    try {
      const { link } = await send<{ link: string }>("start", {
        ...Object.fromEntries(form),
        consent: form.has("consent"),
      });
      go(`#${link}`);
    } catch (error) {
      setProblem((error as Error).message);
      setBusy(false);
    }
  }

  return (
    <>
      <h1>Play a game</h1>
      <p>
        You play what the lab's agents play, and see what they see. A game played to its end stands
        beside theirs in the tables. One that you leave is kept, and its link takes it up again;
        until its end it counts nowhere.
      </p>
      <form
        class="playing"
        onSubmit={(event) => {
          event.preventDefault();
          begin(new FormData(event.currentTarget));
        }}
      >
        <Worlds games={games} />
        <aside class="step">
          <label>
            Your name, or none{" "}
            <input type="text" name="name" maxLength={100} autocomplete="off" dir="auto" />
          </label>
          <label class="consent">
            <input type="checkbox" name="consent" required /> <span>{consent}</span>
          </label>
          <button type="submit" class="button" disabled={isBusy}>
            {isBusy ? "The game is being set up …" : "Begin"}
          </button>
          <p role="alert" class="bad">{problem}</p>
        </aside>
      </form>
    </>
  );
}

function Worlds({ games }: Pick<Offer, "games">): JSX.Element {
  return (
    <fieldset class="worlds">
      <legend>{games.length === 1 ? "The game" : "Choose a game"}</legend>
      {games.map(({ id, doc }) => (
        <label key={id} class="card">
          <input
            type="radio"
            name="world"
            value={id}
            defaultChecked={games.length === 1}
            required
          />
          <span dir="auto">
            <b>{id}</b> <span>{doc.replace(/\.$/, "")}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

document.title = "Labyrinth: play";
const root = document.getElementById("page");
if (root) render(<Page />, root);
