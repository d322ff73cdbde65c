import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on a free port of the loopback interface; anyone who opened it closes it. */
export type ListeningServer = { readonly url: string; close(): Promise<void> };

/** Opens one. Closing it also ends the connections that are open. */
export async function listen(listener: RequestListener, options: ServerOptions = {}): Promise<ListeningServer> {
  const server = createServer(options, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
