/** A call of a model: its cost, its prompt with folded sections, its reply. */

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { counted } from "../../../core/text/amounts.ts";
import type { CallView } from "../record.ts";
import { isEmbedded, useData } from "./data.ts";
import { Foreign, words } from "./kit.tsx";
import { Value } from "./value.tsx";

export function Call({ call, address, isLinked }: {
  readonly call: CallView;
  readonly address: string;
  readonly isLinked: boolean;
}): JSX.Element {
  const {
    role,
    model,
    kind,
    vote,
    reAsk,
    promptTokens,
    completionTokens,
    dollars,
    latencyMs,
    prompt,
    reply,
    parsed,
    pictures,
  } = call;
  const box = useRef<HTMLDetailsElement>(null);
  const [wasOpened, setOpened] = useState(isLinked);
  useEffect(() => {
    if (isLinked) box.current?.scrollIntoView();
  }, [isLinked]);
  return (
    <details
      ref={box}
      class={`call ${kind}`}
      open={isLinked}
      onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}
    >
      <summary>
        <b>{words(role)}</b>
        {vote !== undefined && <span class="tag">vote {vote}</span>}
        {reAsk !== undefined && <span class="tag">asked again ({reAsk})</span>}
        {kind !== "paid" && <span class="tag">{kind}</span>}
        <span class="quiet">
          {words(model)}, {promptTokens} + {completionTokens}{" "}
          tokens{dollars ? `, $${dollars.toFixed(4)}` : ""}, {time(latencyMs)}
        </span>
        <span class="first" dir="auto">{reply.slice(0, 160)}</span>
      </summary>
      {wasOpened && (
        <>
          <a href={address}>link to this call</a>
          {prompt.map((message, at) => <Message key={at} {...message} />)}
          {[...new Set(pictures)].map((hash) => <Picture key={hash} hash={hash} />)}
          <div class="reply">
            <h4>reply</h4>
            {parsed === undefined ? <Foreign text={reply} /> : (
              <>
                <Value value={parsed} />
                <Section title="as it was sent" body={reply} />
              </>
            )}
          </div>
        </>
      )}
    </details>
  );
}

function Picture({ hash }: { readonly hash: string }): JSX.Element {
  const inline = useData<string>(isEmbedded ? ["picture", hash] : undefined).data; // which has no server
  return (
    <img class="picture" src={inline ?? `pictures/${hash}.png`} alt="a picture of the prompt" />
  );
}

/** A message, its sections folded: a section begins with a line `### <title>`. */
function Message(
  { role, content }: { readonly role: string; readonly content: string },
): JSX.Element {
  const [lead = "", ...sections] = content.split(/^### /m);
  return (
    <div class="message">
      <h4>{words(role)}</h4>
      {lead.trim() !== "" &&
        (sections.length === 0 && role !== "system"
          ? <Foreign text={lead} />
          : <Section title={firstLine(lead)} body={lead} />)}
      {sections.map((section, at) => {
        const end = section.indexOf("\n");
        return (
          <Section
            key={at}
            title={end < 0 ? section : section.slice(0, end)}
            body={end < 0 ? "" : section.slice(end + 1)}
            isHeading
          />
        );
      })}
    </div>
  );
}

function Section(
  { title, body, isHeading = false }: {
    readonly title: string;
    readonly body: string;
    readonly isHeading?: boolean;
  },
): JSX.Element {
  const text = body.trimEnd();
  return (
    <details class="section">
      <summary>
        {words(title, 5000)} {isHeading && (
          <span class="quiet">
            {text.length > 80 ? counted(text.split("\n").length, "line") : text}
          </span>
        )}
      </summary>
      <Foreign text={text} />
    </details>
  );
}

function firstLine(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}

function time(milliseconds: number): string {
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
}
