/// <reference lib="dom" />
/** What the player can do: type, choose a valid action, write a note. */

import type { JSX, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { SessionView } from "../session-view.ts";

/** Buttons that are shown at once; typing finds the others. */
const SHOWN = 100;

export function Controls({ view: { actions, forms }, step, isBusy, act }: {
  readonly view: SessionView;
  readonly step: number;
  readonly isBusy: boolean;
  readonly act: (action: string, note: string) => Promise<boolean>;
}): JSX.Element {
  const [typed, setTyped] = useState("");
  const [note, setNote] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!matchMedia("(pointer: coarse)").matches) input.current?.focus({ preventScroll: true }); // no keyboard over a telephone's page
  }, [step]);

  async function take(action: string): Promise<void> {
    if (!await act(action, note.trim())) return;
    setTyped("");
    setNote("");
  }

  /** Types a form of action with its first blank selected; one without blanks is an action. */
  function fill(form: string): void {
    const blank = form.match(/\{\w+\}/);
    if (!blank) return void take(form);
    setTyped(form);
    input.current?.focus();
    requestAnimationFrame(() =>
      input.current?.setSelectionRange(blank.index ?? 0, (blank.index ?? 0) + blank[0].length)
    );
  }

  const isHelp = /^\s*(\?|help)\s*$/i.test(typed); // a question to the page is no step
  const words = isHelp
    ? []
    : typed.toLowerCase().split(/\s+/).filter((word) => !word.includes("{"));
  const fitting = actions.filter((action) =>
    words.every((word) => action.toLowerCase().includes(word))
  );
  const more = fitting.length > SHOWN
    ? `${SHOWN} of ${fitting.length}; a word finds others`
    : `${fitting.length} of ${actions.length}`;
  const button = (action: string, onClick: () => void): JSX.Element => (
    <button type="button" dir="auto" disabled={isBusy} onClick={onClick}>{action}</button>
  );
  return (
    <>
      <ActionLine
        input={input}
        typed={typed}
        setTyped={setTyped}
        isBusy={isBusy}
        onEnter={() => void (!isHelp && take(typed))}
      />
      <p class="quiet" role="status">
        {isHelp ? "Type an action, or choose a valid one; the forms of action are below. " : ""}
        {actions.length > 0 && `Valid actions: ${more}`}
      </p>
      <ul class="actions">
        {fitting.slice(0, SHOWN).map((action) => (
          <li key={action}>{button(action, () => take(action))}</li>
        ))}
      </ul>
      <label>
        A note, if you like; it is recorded with your next step
        <textarea
          rows={3}
          maxLength={10_000}
          value={note}
          dir="auto"
          onInput={(event) => setNote(event.currentTarget.value)}
        />
      </label>
      <p class="quiet">Leave when you like: the address of this page takes the game up again.</p>
      <details open={isHelp || actions.length === 0}>
        <summary>Forms of action</summary>
        <ul class="forms">
          {forms.map(({ name, description }) => (
            <li key={name}>{button(name, () => fill(name))} {description}</li>
          ))}
        </ul>
      </details>
    </>
  );
}

function ActionLine({ input, typed, setTyped, isBusy, onEnter }: {
  readonly input: RefObject<HTMLInputElement>;
  readonly typed: string;
  readonly setTyped: (text: string) => void;
  readonly isBusy: boolean;
  readonly onEnter: () => void;
}): JSX.Element {
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== "") onEnter();
      }}
    >
      <input
        ref={input}
        type="search"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        placeholder="type an action"
        aria-label="action"
        maxLength={2000}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        dir="auto"
      />
      <button type="submit" class="button" disabled={isBusy}>Do it</button>
    </form>
  );
}
