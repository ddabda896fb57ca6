/** Characters that are shown of a name or an action: a line of a megabyte would stop the page. */
const MOST = 300;

/** A name or an action as it is shown; one that is too long is cut. */
export function brief(text: string): string {
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}
