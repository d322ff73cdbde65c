import { afterEach, describe, it } from '@jest/globals';
import { outboundContract } from '@answer-evidence/ports/contracts';
import { findClosedPort, openHttpPeer, openRawPeer, type Peer } from './fixtures/peer.ts';
import { createOutboundHttp } from './outbound-http.ts';

const peers: Peer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});
async function keep(opening: Promise<Peer>): Promise<string> {
  const peer = await opening;
  peers.push(peer);
  return `http://127.0.0.1:${peer.port}/`;
}

describe('createOutboundHttp keeps the contract:', () => {
  for (const promise of outboundContract) {
    it(promise.guarantee, () =>
      promise.prove({
        outbound: createOutboundHttp({ allowList: new Set(['127.0.0.1:*']) }),
        answering: ({ status, contentType, body }) =>
          keep(openHttpPeer((_, res) => res.writeHead(status, { 'Content-Type': contentType }).end(body))),
        silent: () => keep(openRawPeer(() => undefined)),
        deserted: async () => `http://127.0.0.1:${await findClosedPort()}/`,
        forbidden: 'http://169.254.169.254/latest/meta-data/',
      }),
    );
  }
});
