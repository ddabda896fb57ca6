/**
 * What must not leave this machine: keys, which no record holds, and folders in records that are
 * passed on.
 */

export const HIDDEN = "(hidden)";

/**
 * Minimum length of a text that is hidden everywhere: shorter ones (`true`, `ollama`) are common
 * words.
 */
export const SHORTEST_SECRET = 10;
/**
 * The keys of all endpoints that this process may call: whichever of them repeats one, and under
 * whatever name, no record holds it.
 */
export const knownSecrets: Set<string> = new Set();

/**
 * Replaces secrets in the parameters of a call by `(hidden)`: texts under a telling name
 * (`api_key`, `Authorization`, everything below `headers`), and texts that look like a key (`sk-…`,
 * `Bearer …`) or hold a known one. A record of one key therefore serves another. Numbers and
 * special tokens (`eos_token`) stay.
 */
export function hideSecrets<T>(value: T): T {
  return hidden(value, false) as T;
}

function hidden(value: unknown, isSecret: boolean): unknown {
  if (typeof value === "string") {
    return isSecret || looksSecret(value) || holdsKnown(value) ? HIDDEN : value;
  }
  if (Array.isArray(value)) return value.map((item) => hidden(item, isSecret));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map((
      [name, item],
    ) => [name, hidden(item, isSecret || namesSecret(name))]),
  );
}

/** The address of an endpoint with user name, password and the values of its query hidden. */
export function hideInAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.username === "" && url.password === "" && url.search === "") return address;
  for (const part of ["username", "password"] as const) if (url[part] !== "") url[part] = "hidden";
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, "hidden");
  return url.href;
}

/**
 * Lists the texts of an `extraBody` that `hideSecrets` would hide, and those that look random: they
 * are to be known to it.
 */
export function secretTexts(value: unknown, isSecret = false): string[] {
  if (typeof value === "string") {
    return value !== HIDDEN && (hidden(value, isSecret) === HIDDEN || looksRandom(value))
      ? [value]
      : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    secretTexts(item, isSecret || namesSecret(name))
  );
}

function namesSecret(name: string): boolean {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z\d]+/)
    .filter(Boolean);
  return words.some((word) => SECRET_WORD.test(word)) ||
    (SECRET_AT_THE_END.test(words.at(-1) ?? "") && !SPECIAL_TOKEN.test(words.at(-2) ?? ""));
}

const SECRET_WORD =
  /^(headers?|auth|authentication|cookies?|bearer|credentials?|.*(secret|passw|passphrase|authori[sz]ation|apikey).*)$/;
const SECRET_AT_THE_END = /^((access|auth|session)?(key|token)|keys|signature|salt|pat)$/;
/** What stands before `token` in the name of a model's own: `eos_token`, `stop_token`. */
const SPECIAL_TOKEN =
  /^(bos|eos|eot|pad|unk|sep|cls|mask|start|begin|end|stop|think(ing)?|special|image|prefix|suffix)$/;
const LOOKS_SECRET =
  /^\s*((Bearer|Basic|Token)\s+\S{8}|(sk|pk|rk|gsk|xai|hf|nvapi|gh[pous]|github_pat|glpat|xox[abprs])[-_]\w[\w-]{14}|AIza[\w-]{30}|AKIA\w{16}|eyJ[\w-]{10,}\.)/;

export function looksSecret(text: string): boolean {
  return LOOKS_SECRET.test(text);
}

/** Whether a text looks like a key without a prefix: 20 or more letters and digits, or a UUID. */
export function looksRandom(text: string): boolean {
  return /^((?=.*[a-z])(?=.*\d)[A-Za-z\d]{20,}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/.test(text);
}

function holdsKnown(text: string): boolean {
  return [...knownSecrets].some((secret) => text.includes(secret));
}
