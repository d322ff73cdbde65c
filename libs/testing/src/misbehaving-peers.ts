import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findFreePort } from './free-port.ts';

/** What peers of each kind do. */
export type Misbehaviour = 'hangs' | 'answers without end' | 'answers garbage' | 'refuses' | 'redirects' | 'is gone';

/** Words that peers say, to be looked for where they must not be. */
const PEER_WORDS = 'words-of-the-peer';

const CHUNK = Buffer.alloc(64 * 1024, 'a');

/** Peers on free ports of the loopback interface, a URL each; anyone who opened them closes them. */
export async function openMisbehavingPeers(
  contentType: string,
): Promise<{ readonly urls: Readonly<Record<Misbehaviour, string>>; readonly words: string; close(): Promise<void> }> {
  const servers: Server[] = [];
  async function listen(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const close = async (server: Server): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const urls = {
    hangs: await listen(() => undefined),
    'answers without end': await listen((_, response) => {
      response.writeHead(200, { 'content-type': contentType });
      const fill = (): void => {
        while (!response.destroyed && response.write(CHUNK));
      };
      response.on('drain', fill).on('error', () => undefined);
      fill();
    }),
    'answers garbage': await listen((_, response) => {
      response.writeHead(200, { 'content-type': contentType }).end(`<${PEER_WORDS}> {{{ \u0000`);
    }),
    refuses: await listen((_, response) => {
      const body = `<Error><Code>${PEER_WORDS}</Code><Message>${PEER_WORDS}</Message></Error>`;
      response.writeHead(403, { 'content-type': contentType }).end(body);
    }),
    redirects: await listen((_, response) => {
      response.writeHead(307, { location: 'http://169.254.169.254/' }).end();
    }),
    'is gone': `http://127.0.0.1:${await findFreePort()}`,
  };
  return {
    urls,
    words: PEER_WORDS,
    async close() {
      for (const server of servers) await close(server);
    },
  };
}
