/**
 * The run page in notebooks: an episode and a graph as outputs that survive saving, and a study
 * that is watched while a cell plays it. In a browser the page is `./lab view`.
 *
 * @module
 */

export {
  type Displayed,
  episodeView,
  type EpisodeViewOptions,
  graphView,
  studyView,
  type ViewOptions,
} from "./notebook.ts";
