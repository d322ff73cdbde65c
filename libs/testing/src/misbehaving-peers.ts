import type { RequestListener } from 'node:http';
import { findFreePort } from './free-port.ts';
import { listen, type ListeningServer } from './listen.ts';

/** What peers of each kind do. */
export type Misbehaviour = 'hangs' | 'answers without end' | 'answers garbage' | 'refuses' | 'redirects' | 'is gone';

/** Words that peers say, to be looked for where they must not be. */
const PEER_WORDS = 'words-of-the-peer';

const CHUNK = Buffer.alloc(64 * 1024, 'a');

/** Peers on free ports of the loopback interface, a URL each; anyone who opened them closes them. */
export async function openMisbehavingPeers(
  contentType: string,
): Promise<{ readonly urls: Readonly<Record<Misbehaviour, string>>; readonly words: string; close(): Promise<void> }> {
  const servers: ListeningServer[] = [];
  async function open(listener: RequestListener): Promise<string> {
    const server = await listen(listener);
    servers.push(server);
    return server.url;
  }
  const urls = {
    hangs: await open(() => undefined),
    'answers without end': await open((_, response) => {
      response.writeHead(200, { 'content-type': contentType });
      const fill = (): void => {
        while (!response.destroyed && response.write(CHUNK));
      };
      response.on('drain', fill).on('error', () => undefined);
      fill();
    }),
    'answers garbage': await open((_, response) => {
      response.writeHead(200, { 'content-type': contentType }).end(`<${PEER_WORDS}> {{{ \u0000`);
    }),
    refuses: await open((_, response) => {
      const body = `<Error><Code>${PEER_WORDS}</Code><Message>${PEER_WORDS}</Message></Error>`;
      response.writeHead(403, { 'content-type': contentType }).end(body);
    }),
    redirects: await open((_, response) => {
      response.writeHead(307, { location: 'http://169.254.169.254/' }).end();
    }),
    'is gone': `http://127.0.0.1:${await findFreePort()}`,
  };
  return {
    urls,
    words: PEER_WORDS,
    async close() {
      for (const server of servers) await server.close();
    },
  };
}
