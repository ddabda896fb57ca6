/**
 * What a recorded step of a knowledge-graph method had and lacked, held against the truth of its world.
 *
 * | reading | of hunts (AriGraph) | of rooms (GraphMind) | of households (WESE) |
 * |---|---|---|---|
 * | precision, recall | the graph against what was come across, as `lib/report/truth/judge.ts` | the same | the same, while it explores |
 * | needed: a fact of another place | where the thing lies that has to be reached next (`neededFacts`), of keys those alone whose lock was told | where a plan is made and both things of the mission were seen, the room of the one to be moved or, once that is carried, of the other one | where a thing of the kind lies that the task begins with, until one was taken |
 * | recalled | the recollection gives it | an answer of the graph's functions before the plan gives it | the triplets that were retrieved give it |
 * | plan | one of its sub-goals names the thing, or what it is in | what its instruction names is in the agent's room | it makes none |
 *
 * An action is valid that the world takes: neither refused nor replaced by the fallback. ScienceWorld, where ReasonPlanner plays, tells neither places nor
 * things: of its steps the actions alone are read.
 */

import type { BabyAiTruth } from "../../graph/babyai-truth.ts";
import { normaliseEntity } from "../../graph/triplet.ts";
import { givesAll, holds, type JudgedStep, judgedSteps, linesOf, sharesOf } from "../../report/truth/beliefs.ts";
import { householdForm, takenInPlan } from "../../report/truth/household.ts";
import { type RecordedTruth, recordedTruths } from "../../report/truth/judge.ts";
import { neededFacts } from "../../report/truth/needs.ts";
import { listAnswered } from "../../store/calls.ts";
import { listEvents } from "../../store/events.ts";
import type { Store } from "../../store/open.ts";
import { getRequest } from "../../store/replies.ts";
import { getTruth, listGraphChanges, listTurns, type TurnRow } from "../../store/turns.ts";

/** What the next right action needs of another place. */
export interface Need {
  /** Whether the graph has it. */
  readonly isKnown: boolean;
  /** Why it has not: something else is held of the same thing, which was so before; the agent has not come across it; or neither. */
  readonly cause?: "staleness" | "exploring" | "extraction";
  /** Whether the recollection gives it. */
  readonly isRecalled: boolean;
}

/** A step as it was read; what its world does not tell is absent. */
export interface StepReading {
  /** Agent step, from 1; of WESE the steps of exploring have no decision. */
  readonly step: number;
  /** In [0, 1]. */
  readonly precision?: number;
  /** In [0, 1]. */
  readonly recall?: number;
  readonly decision?: {
    readonly need?: Need;
    /** Whether the plan is valid. */
    readonly plan?: boolean;
    /** Whether the world took the action. */
    readonly action: boolean;
  };
}

/** The stages at which a step can lack something, in the order of a step; `nothing` where it lacks none. */
export const LACKS = ["nothing", "exploring", "extraction", "staleness", "retrieval", "planning", "acting"] as const;

/** The first stage of a decision that lacks something. */
export function lackOf({ need, plan, action }: NonNullable<StepReading["decision"]>): typeof LACKS[number] {
  if (need && !need.isKnown) return need.cause ?? "extraction";
  if (need && !need.isRecalled) return "retrieval";
  if (plan === false) return "planning";
  return action ? "nothing" : "acting";
}

/** The record of an episode, read once. */
interface Recorded {
  readonly store: Store;
  readonly episode: string;
  readonly turns: readonly TurnRow[];
  readonly truths: readonly RecordedTruth[];
  readonly judged: readonly JudgedStep[];
}

/** What a world tells of a decision beside its action; turns are those of the steps that decide. */
type Judge = (record: Recorded) => (turn: TurnRow) => Pick<NonNullable<StepReading["decision"]>, "need" | "plan"> | undefined;

/** How the steps of a method are read: the pass that decides, and the steps from a turn to the graph that has taken it in. */
interface Rules {
  readonly pass: number;
  readonly lag: 0 | 1;
  readonly form?: typeof householdForm;
  readonly judge?: Judge;
  /** What the world answers to an action that it does not take, where it does not refuse it. */
  readonly refusal?: RegExp;
}

const RULES: Readonly<Record<string, Rules>> = {
  arigraph: { pass: 0, lag: 1, judge: judgeHunt },
  graphmind: { pass: 0, lag: 0, judge: judgeRooms },
  wese: { pass: 1, lag: 0, form: householdForm, judge: judgeHousehold, refusal: /^Nothing happens\b/ },
  reasonplanner: { pass: 0, lag: 0, refusal: /^No known action matches\b/ },
};

/** Whether the world of a method tells what its steps need. */
export function isJudged(method: string): boolean {
  return RULES[method]?.judge !== undefined;
}

/** Reads every step of a recorded episode of a method, a name of `ATTRIBUTED`. */
export function readSteps(store: Store, episode: string, method: string): StepReading[] {
  const { pass, lag, form, judge, refusal } = RULES[method] as Rules;
  const turns = listTurns(store, episode);
  const truths = recordedTruths(store, episode, turns, form);
  const judged = judge ? judgedSteps(turns, truths, listGraphChanges(store, episode), lag) : [];
  const beliefs = new Map(judged.map((one) => [one.turn, sharesOf(one.judgement)]));
  const decide = judge?.({ store, episode, turns, truths, judged });
  const failed = new Set(
    listEvents(store, episode).flatMap((event) => /^(?:invalid-action|fallback)$/.test(event.kind) ? [`${event.pass}.${event.step}`] : []),
  );
  const hasPasses = pass > 0;
  return turns.filter((turn) => turn.action !== undefined).map((turn): StepReading => {
    const isDecision = turn.pass === pass && !turn.action?.startsWith("think:");
    const action = !failed.has(`${turn.pass}.${turn.step}`) && !refusal?.test(turn.observation.trim());
    return {
      step: turn.step,
      ...(hasPasses && turn.pass === pass ? {} : beliefs.get(turn)),
      ...(isDecision ? { decision: { ...decide?.(turn), action } } : {}),
    };
  });
}

function judgeHunt({ turns, judged }: Recorded): ReturnType<Judge> {
  const at = new Map(judged.map((one) => [one.turn, one]));
  const told = toldKeys(turns);
  return (turn) => {
    const { truth, judgement: { memory, world } = { memory: [], world: [] } } = at.get(turn) ?? {};
    const known = world.filter(({ row: [key, relation, lock] }) => relation !== "unlocks" || told(key, lock) < turns.indexOf(turn));
    const facts = truth?.game && neededFacts(turn.goal, truth.game, known);
    if (!facts) return undefined;
    const isKnown = facts.every(([thing, holder]) =>
      world.some(({ row, verdict }) => verdict === "right" && row[0] === thing && row[2] === holder && /^is [io]n$/.test(row[1]))
    );
    const isStale = memory.some(({ row, verdict }) => verdict === "stale" && facts.some(([thing]) => row[0] === thing));
    const subGoals = [...String(turn.details["plan"] ?? "").matchAll(/"sub_goal_\d+"\s*:\s*"((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) =>
      text
    );
    return {
      need: { isKnown, cause: isStale ? "staleness" : "extraction", isRecalled: givesAll(linesOf(turn.details["recalled"]) ?? [], facts) },
      plan: subGoals.some((text) => facts.some(([thing = ""]) => holds(normaliseEntity(text), thing))),
    };
  };
}

/** The index of the first turn with a sentence that names a key and its lock; Infinity where there is none. */
function toldKeys(turns: readonly TurnRow[]): (key: string, lock: string) => number {
  const sentences = turns.map(({ observation, frames }) =>
    [...frames, { observation }].flatMap(({ observation }) => observation.split(/[.!?\n]/)).map(normaliseEntity)
  );
  const first = new Map<string, number>();
  return (key, lock) =>
    first.getOrInsertComputed(`${key}\n${lock}`, () => {
      const index = sentences.findIndex((some) => some.some((sentence) => holds(sentence, key) && holds(sentence, lock)));
      return index < 0 ? Infinity : index;
    });
}

function judgeRooms({ store, episode, turns, judged }: Recorded): ReturnType<Judge> {
  const at = new Map(judged.map((one) => [one.turn, one]));
  const answers = toolAnswers(store, episode);
  return (turn) => {
    const { truth: { map } = {}, judgement } = at.get(turns[turns.indexOf(turn) - 1] as TurnRow) ?? {};
    if (!map || !judgement) return undefined;
    const plan = isPossible(String(turn.details["instruction"] ?? ""), map);
    const thing = nextThing(turn.goal, map);
    if (thing === undefined || turn.details["planned"] !== true) return { plan };
    const places = judgement.world.filter(({ row, verdict }) => verdict === "right" && row[1] === "contains" && row[2].startsWith(thing));
    const isStale = judgement.memory.some(({ row, verdict }) => verdict === "stale" && row[2].startsWith(thing));
    const lines = answers.findLast(({ step }) => step <= turn.step)?.lines ?? [];
    return {
      plan,
      need: {
        isKnown: places.length > 0,
        cause: isStale ? "staleness" : "extraction",
        isRecalled: places.some(({ row: [room] }) => givesAll(lines, [[room, thing]])),
      },
    };
  };
}

/**
 * The thing that a mission needs next, `blue ball`, where it lies in another room than the agent's. Until all that it names were seen in rooms that
 * were entered, or are carried, exploring on is as right.
 */
function nextThing(goal: string, { rooms, objects, agent }: BabyAiTruth): string | undefined {
  const all = (thing: string): BabyAiTruth["objects"] => objects.filter(({ colour, type }) => `${colour} ${type}` === thing);
  const entered = new Set(rooms.flatMap(({ id, visited }) => visited ? [id] : []));
  const named = [...normaliseEntity(goal).matchAll(/\b(\w+) (ball|box|key)\b/g)].map(([thing]) => thing);
  const isFound = named.every((thing) => all(thing).some(({ seen, room }) => room === null || (seen && entered.has(room))));
  const [next] = named.filter((thing) => all(thing).every(({ room }) => room !== null));
  return isFound && next !== undefined && agent.room !== null && all(next).every(({ room }) => room !== agent.room) ? next : undefined;
}

/** Whether everything that an instruction names is in the agent's room or hand; absent in a doorway, and where it names nothing. */
function isPossible(instruction: string, { doors, objects, agent }: BabyAiTruth): boolean | undefined {
  const named = [...instruction.toLowerCase().matchAll(/\b(\w+) (?:(?:open|closed|locked) )?(ball|box|key|door)\b/g)];
  if (agent.room === null || named.length === 0) return undefined;
  return named.every(([, colour, type]) =>
    type === "door"
      ? doors.some((door) => door.colour === colour && (door.a === agent.room || door.b === agent.room))
      : objects.some((thing) => thing.colour === colour && thing.type === type && (thing.room === null || thing.room === agent.room))
  );
}

/** The answers of a memory's functions before each plan, as lines in normal form. */
function toolAnswers(store: Store, episode: string): { readonly step: number; readonly lines: readonly string[] }[] {
  const asked = Map.groupBy(listAnswered(store, episode).filter(({ role }) => role === "graphmind/plan"), ({ step }) => step ?? 0);
  return [...asked].map(([step, calls]) => {
    const messages = getRequest(store, calls.at(-1)?.key ?? "")?.messages as
      | readonly { readonly role: string; readonly content: unknown }[]
      | undefined;
    const texts = messages?.flatMap(({ role, content }) => role === "tool" ? [String(content)] : []) ?? [];
    return { step, lines: texts.flatMap((text) => text.split("\n")).map(normaliseEntity) };
  }).sort((a, b) => a.step - b.step);
}

function judgeHousehold({ store, turns, truths, judged }: Recorded): ReturnType<Judge> {
  const start = turns.find(({ pass, step }) => pass === 1 && step === 0);
  const [first] = start ? takenInPlan(getTruth(store, start)) : [];
  const kind = kindOf(first ?? "");
  const explored = judged.findLast(({ turn }) => turn.pass === 0)?.judgement;
  const lines = linesOf(start?.details["recalled"]) ?? [];
  const places = explored?.world.filter(({ row: [thing, relation] }) => kindOf(thing) === kind && /^is [io]n$/.test(relation)) ?? [];
  const known = places.filter(({ verdict }) => verdict === "right");
  const isStale = explored?.memory.some(({ row: [thing], verdict }) => verdict === "stale" && kindOf(thing) === kind);
  const wasShown = places.some(({ verdict }) => verdict === "missing");
  const need: Need = {
    isKnown: known.length > 0,
    cause: isStale ? "staleness" : wasShown ? "extraction" : "exploring",
    isRecalled: known.some(({ row: [thing, , holder] }) => givesAll(lines, [[thing, holder]])),
  };
  const heldAt =
    truths.find(({ pass, game }) =>
      pass === 1 && game?.facts.some(([thing = "", , holder]) => kindOf(thing) === kind && holder === "inventory")
    )?.step ?? Infinity;
  const isHere = ({ step }: TurnRow): boolean => {
    const game = truths.find((truth) => truth.pass === 1 && truth.step === step - 1)?.game;
    return game?.facts.some(([thing = "", , holder]) => kindOf(thing) === kind && holder === game.location) ?? false;
  };
  return (turn) => kind === "" || places.length === 0 || turn.step > heldAt || isHere(turn) ? undefined : { need };
}

/** `soapbar 1` is a `soapbar`. */
function kindOf(name: string): string {
  return normaliseEntity(name).replace(/ \d+$/, "");
}
