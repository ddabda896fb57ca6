/** What a model answers that plays in an invented house, for benchmarks. */

/** What is extracted in the room that a walk of `rooms` rooms reaches at a step: 13 triplets. */
function houseTriplets(step: number, rooms: number): string {
  const place = step % rooms;
  const room = `room ${place}`;
  const things = Array.from({ length: 6 }, (_, i) => `thing ${place * 6 + i}`);
  return [
    `${room}, has exit, east`,
    ...things.map((thing, i) => `${thing}, is on, shelf ${i}`),
    ...things.map((thing) => `${room}, contains, ${thing}`),
  ].join("; ");
}

/** The roles that Ariadne with AriGraph asks at each step. */
export const HOUSE_ROLES = [
  ...["arigraph/extract", "arigraph/outdate", "arigraph/entities", "arigraph/explore"],
  ...["ariadne/plan", "ariadne/act"],
];

/** Answers a role at a step of an agent that walks through a house of so many rooms again and again. */
export function houseAnswer(role: string, step: number, rooms: number): string {
  const place = step % rooms;
  if (role === "arigraph/extract") return houseTriplets(step, rooms);
  if (role === "arigraph/outdate") return "[]";
  if (role === "arigraph/entities") return `{"room ${place}": 1, "thing ${Math.floor(place / 2) * 6}": 2, "shelf 3": 1}`;
  if (role === "arigraph/explore") return "False";
  if (role === "ariadne/plan") return `{"plan_steps": [{"sub_goal_1": "look around", "reason": ""}]}`;
  return `{"reason_for_action": "", "action_to_take": "look"}`;
}
