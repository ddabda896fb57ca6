/** The methods that a study can name, one line for each file, in alphabetical order. */
export { createAct as act, createReact as react, createSaycan as saycan } from "./act.ts";
export { createAnswer as answer, createConverse as converse, createCot as cot } from "./answer.ts";
export { createAriadne as ariadne } from "./ariadne.ts";
export { createGraphMind as graphmind } from "./graphmind.ts";
export { createNetPlay as netplay } from "./netplay.ts";
export { createRandom as random, randomWalk } from "./random.ts";
export { reasonplanner } from "./reasonplanner.ts";
export {
  createReactReflexion as reactReflexion,
  createReflexion as reflexion,
} from "./reflexion.ts";
export { createWese as wese, sese } from "./wese.ts";
