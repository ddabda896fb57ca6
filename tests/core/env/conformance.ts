/**
 * What every world of the catalogue keeps to. A world's own tests say what it is about; these say
 * that the lab can work with it.
 */
import assert from "node:assert/strict";
import type { MeasuredEnvironment, Turn, WorldEntry, Worlds } from "../../../lib/core/env/mod.ts";
import { WorldError } from "../../../lib/core/errors.ts";
import { formOf } from "../../../lib/lab/truth/judge.ts";

/** Family of worlds → how the run page reads their truth; those of other worlds have no map. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  babyai: ["map"],
  textworld: ["game"],
};

/** Steps that two copies of a world take side by side. */
const STEPS = 12;

/** Why the world cannot be opened without being told more, or undefined. */
export function needsParameters({ parameters }: WorldEntry): string | undefined {
  const required = (parameters.required ?? []) as string[];
  return required.length > 0 ? `needs ${required.join(", ")}` : undefined;
}

/**
 * Plays two copies of a world in lock-step with the same actions, drawn from the valid ones, and
 * compares all that they show.
 */
export async function checkWorld(
  worlds: Worlds,
  id: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const one = await worlds.open(id, params);
  const two = await worlds.open(id, params);
  try {
    assert.deepEqual(one.spec, two.spec);
    assert.deepEqual(JSON.parse(JSON.stringify(one.spec)), one.spec, "the spec is JSON");
    assert.equal(one.spec.id, id);
    assert.match(one.spec.identity, /^[0-9a-f]{64}$/);
    assert.ok(one.spec.actions.length > 0, "the spec names the forms of action");

    const first = await inLockStep(one, two, (env) => env.reset());
    checkTurn(one, first);
    assert.notEqual(first.goal, "");
    const random = numbers(7);
    let turn = first;
    for (let step = 0; step < STEPS && !turn.end; step += 1) {
      const actions = await inLockStep(one, two, (env) => env.validActions());
      assert.notDeepEqual(actions, [], "there is always something to do");
      const action = actions?.[Math.floor(random() * actions.length)] ?? one.spec.fallback;
      turn = await inLockStep(one, two, (env) => env.step(action));
      checkTurn(one, turn);
    }
    const truth = await inLockStep(one, two, (env) => env.truth());
    assert.deepEqual(JSON.parse(JSON.stringify(truth)), truth, "the truth is JSON");
    const forms = Object.entries(formOf(truth)).flatMap(([form, read]) => read ? [form] : []);
    assert.deepEqual(
      forms,
      FORMS[id.split("/")[0] ?? ""] ?? [],
      "the run page reads the truth in the form of its world, and in no other",
    );
    assert.deepEqual(await one.reset(), first, "a reset starts the same episode anew");
  } finally {
    await Promise.all([one.close(), two.close()]);
  }
  await assert.rejects(one.reset(), isOfKind("unknown-session"));
}

/**
 * Plays a world that has a `stepLimit` to its end: the end stays, and further steps are refused.
 */
export async function checkEnd(worlds: Worlds, id: string): Promise<void> {
  const env = await worlds.open(id, { stepLimit: 2 });
  await env.reset();
  await env.step(env.spec.fallback);
  assert.equal((await env.step(env.spec.fallback)).end, "limit");
  await assert.rejects(env.step(env.spec.fallback), isOfKind("ended"));
  assert.equal((await env.reset()).end, undefined, "a reset starts anew after the end");
  await env.close();
}

/** Whether an error is a `WorldError` of this kind with a one-line message. */
export function isOfKind(kind: WorldError["kind"]): (error: unknown) => boolean {
  return (error) =>
    error instanceof WorldError && error.kind === kind && !error.message.includes("\n");
}

function checkTurn({ spec }: MeasuredEnvironment, turn: Turn): void {
  for (const sections of [turn.sections, ...turn.frames.map((frame) => frame.sections)]) {
    for (const name of Object.keys(sections)) {
      assert.ok(spec.sections.includes(name), `the section "${name}" is named in the spec`);
    }
  }
  assert.ok(Number.isFinite(turn.score) && Number.isFinite(turn.maxScore));
  assert.ok(turn.score <= turn.maxScore, `score ${turn.score} is at most ${turn.maxScore}`);
}

async function inLockStep<T>(
  one: MeasuredEnvironment,
  two: MeasuredEnvironment,
  call: (env: MeasuredEnvironment) => Promise<T>,
): Promise<T> {
  const [mine, theirs] = await Promise.all([call(one), call(two)]);
  assert.deepEqual(mine, theirs, "two copies show the same");
  return mine;
}

/** Numbers in [0, 1) from a seed (mulberry32). */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
