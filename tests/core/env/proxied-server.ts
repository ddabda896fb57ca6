/** A world server of one file of tests, and connections to it through a proxy. */

import { Connection, type ConnectionOptions } from "../../../lib/core/env/connection.ts";
import { spawnServer } from "../../../lib/core/env/server.ts";
import { type Proxy, startProxy } from "./proxy.ts";

/**
 * Starts a server that ends with the file's tests; `proxied` hands a test a connection through a
 * proxy, which sees all that the server sees.
 */
export async function proxiedServer(options: Omit<ConnectionOptions, "endpoint"> = {}): Promise<{
  readonly endpoint: string;
  readonly proxied: (
    test: (proxy: Proxy, connection: Connection) => Promise<void>,
    own?: typeof options,
  ) => Promise<void>;
}> {
  const server = spawnServer([]);
  const { endpoint } = await server.ready;
  Deno.test.afterAll(async () => {
    server.child.stdin?.end();
    await server.exited;
  });
  return {
    endpoint,
    proxied: async (test, own) => {
      const proxy = await startProxy(endpoint);
      const connection = new Connection({ ...options, ...own, endpoint: proxy.endpoint });
      try {
        await test(proxy, connection);
      } finally {
        connection.close();
        proxy.close();
      }
    },
  };
}
