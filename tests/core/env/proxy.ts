import { Dealer, Router } from "zeromq";

/** What becomes of a reply on its way: passed on, changed, or lost (`undefined`). */
export type Fate = (frames: readonly Uint8Array[]) => readonly Uint8Array[] | undefined;

/** A proxy between one client and a server, which can lose and change replies. */
export interface Proxy {
  readonly endpoint: string;
  /** Applied to every reply; at first all pass. */
  fate: Fate;
  /** Methods of the requests that came by, in order. */
  readonly requests: string[];
  close(): void;
}

export async function startProxy(server: string): Promise<Proxy> {
  const options = { receiveTimeout: 0, sendTimeout: 0, linger: 0 };
  const front = new Router(options);
  const back = new Dealer(options);
  await front.bind("tcp://127.0.0.1:*");
  back.connect(server);
  let client: Uint8Array | undefined;
  let open = true;
  const proxy: Proxy = {
    endpoint: front.lastEndpoint ?? "",
    fate: (frames) => frames,
    requests: [],
    close: () => {
      open = false;
      clearInterval(timer);
      front.close();
      back.close();
    },
  };
  const timer = setInterval(async () => {
    await drain(front, async ([route, request = new Uint8Array()]) => {
      client = route;
      proxy.requests.push(
        (JSON.parse(new TextDecoder().decode(request)) as { method: string }).method,
      );
      await back.send(request);
    });
    await drain(back, async (frames) => {
      const passed = proxy.fate(frames);
      if (passed && client && open) await front.send([client, ...passed]);
    });
  }, 1);
  return proxy;
}

async function drain(
  socket: Router | Dealer,
  take: (frames: Uint8Array[]) => Promise<void>,
): Promise<void> {
  for (;;) {
    let frames: Uint8Array[];
    try {
      frames = await socket.receive();
    } catch {
      return; // nothing there, or busy with the turn before, or closed
    }
    await take(frames);
  }
}
