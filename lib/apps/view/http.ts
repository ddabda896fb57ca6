/** What the servers of pages share: who is answered, and the headers of every answer. */

import { timingSafeEqual } from "node:crypto";

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  json: "application/json",
};

/** The headers of every answer: nothing from elsewhere, no inline script, no cache. */
export const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; worker-src blob:; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};

/** The cookie with the token; the port is in its name, because ports share cookies. */
function cookieName(url: URL): string {
  return `labyrinth-${url.port}`;
}

/**
 * The answer to a request that is not let in, or that brings its token in the address; else
 * `undefined`. Without a token only this machine's own names are let in.
 */
export function turnAway(
  request: Request,
  url: URL,
  token: string | undefined,
): Response | undefined {
  if (token === undefined) {
    return isLoopback(url.hostname)
      ? undefined
      : refuse(403, "this server answers only to this machine's own names, such as localhost");
  }
  if (knows(request, cookieName(url), token)) return undefined;
  if (same(url.searchParams.get("token"), token)) return signIn(cookieName(url), token);
  return refuse(
    403,
    "open the address that was printed when this server was started, with its token",
  );
}

/** Whether a host name is this machine's own, which a page from elsewhere cannot send. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|::1|\[::1\]|127(\.\d+){3})$/.test(hostname);
}

function knows(request: Request, name: string, token: string): boolean {
  const cookies = (request.headers.get("cookie") ?? "").split(/;\s*/);
  return cookies.some((cookie) =>
    cookie.startsWith(`${name}=`) && same(cookie.slice(name.length + 1), token)
  );
}

/** Whether two texts are equal, in a time that does not depend on where they differ. */
export function same(given: string | null, token: string): boolean {
  const [a, b] = [new TextEncoder().encode(given ?? ""), new TextEncoder().encode(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function signIn(name: string, token: string): Response {
  const cookie = `${name}=${token}; HttpOnly; SameSite=Strict; Path=/`;
  return new Response(null, {
    status: 303,
    headers: { ...HEADERS, location: "/", "set-cookie": cookie },
  });
}

export function file(name: string, body: Uint8Array | string | undefined): Response {
  if (body === undefined) return missing();
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
  return new Response(body as BodyInit, { headers: { ...HEADERS, "content-type": type } });
}

export function missing(): Response {
  return refuse(404, "there is nothing at this address");
}

/** An error answer of one line. */
export function refuse(status: number, why: string): Response {
  return new Response(`${why}\n`, {
    status,
    headers: { ...HEADERS, "content-type": "text/plain; charset=utf-8" },
  });
}
