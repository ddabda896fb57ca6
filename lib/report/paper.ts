/** The papers' reported numbers as text. */

export { paperTable } from "../lab/paper-numbers.ts";
