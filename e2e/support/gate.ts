import type { ServerResponse } from 'node:http';
import { listen } from '@answer-evidence/testing';

/** Stands before a time-stamping authority: passes requests on, and holds the responses to those not let through. */
export async function openGate(behind: string) {
  const bodies: string[] = [];
  const through = new Set<string>();
  const held = new Map<ServerResponse, { readonly body: string; readonly token: Uint8Array }>();
  const server = await listen((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      const headers = { 'Content-Type': request.headers['content-type'] ?? 'application/timestamp-query' };
      fetch(behind, { method: 'POST', headers, body }).then(
        async (reply) => {
          held.set(response, { body: body.toString('hex'), token: new Uint8Array(await reply.arrayBuffer()) });
          bodies.push(body.toString('hex'));
          release();
        },
        () => response.writeHead(502).end(),
      );
    });
  });
  function release(): void {
    for (const [response, { body, token }] of held) {
      if (![...through].some((digest) => body.includes(digest))) continue;
      response.writeHead(200, { 'Content-Type': 'application/timestamp-reply' }).end(token);
      held.delete(response);
    }
  }
  return {
    url: server.url,
    /** How many requests for a time-stamp over this digest, in hex, the authority has responded to. */
    countOf: (digest: string) => bodies.filter((body) => body.includes(digest)).length,
    /** From now on, responses over these digests are let through. */
    open(digests: readonly string[]): void {
      for (const digest of digests) through.add(digest);
      release();
    },
    close: () => server.close(),
  };
}
