import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOutboundHttp } from '@answer-evidence/outbound-http';
import type { AnchorRequest } from '@answer-evidence/ports';
import { anchorContract } from '@answer-evidence/ports/contracts';
import { verifyTimestampOver } from '@answer-evidence/rfc3161';
import {
  type Misbehaviour,
  openMisbehavingPeers,
  openTestAuthority,
  type TestAuthority,
} from '@answer-evidence/testing';
import { createRfc3161Anchor } from './rfc3161-anchor.ts';

const clock = { nowMicros: () => Date.now() * 1000 };
const random = { bytes: (sizeBytes: number) => new Uint8Array(randomBytes(sizeBytes)) };
const outbound = createOutboundHttp({ allowList: new Set(['127.0.0.1:*']) });
const anchor = createRfc3161Anchor({ outbound, random, clock });
const hasty = createRfc3161Anchor({ outbound, random, clock, timeoutMs: 500 });

let authority: TestAuthority;
let peers: Awaited<ReturnType<typeof openMisbehavingPeers>>;
beforeAll(async () => {
  authority = await openTestAuthority();
  peers = await openMisbehavingPeers('application/timestamp-reply');
});
afterAll(async () => {
  await authority.close();
  await peers.close();
});

function createRequest(n: number, changes: { url?: string; pem?: string; signal?: AbortSignal } = {}): AnchorRequest {
  const checkpointText = `log.example/answers/demo\n${n}\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n`;
  return {
    config: {
      id: 'tsa',
      type: 'rfc3161',
      url: changes.url ?? authority.url,
      certificate_pem: changes.pem ?? authority.rootPem,
      required: true,
    },
    digest: new Uint8Array(createHash('sha256').update(checkpointText).digest()),
    note: `${checkpointText}\n— log.example/answers/demo AAAAAAAAAAA=\n`,
    signal: changes.signal ?? new AbortController().signal,
  };
}

describe('createRfc3161Anchor keeps the contract:', () => {
  for (const promise of anchorContract) {
    it(promise.guarantee, () => {
      const kinds = Object.keys(peers.urls) as Misbehaviour[];
      const misbehaving = kinds.map((kind) => [kind, createRequest(1, { url: peers.urls[kind] })] as const);
      const isAboutPeers = promise.guarantee.startsWith('a party that misbehaves');
      return promise.prove({
        anchor: isAboutPeers ? hasty : anchor,
        request: (n, signal) => createRequest(n, signal === undefined ? {} : { signal }),
        isReadable: false,
        misbehaving: Object.fromEntries(misbehaving),
        unspeakable: [peers.words, '127.0.0.1'],
      });
    });
  }
});

describe('createRfc3161Anchor', () => {
  it('keeps the response as it came, which openssl and the verifier of bundles believe', async () => {
    const request = createRequest(7);
    const outcome = await anchor.submit(request);
    if (outcome.kind === 'failed') throw new Error(outcome.detail);
    expect(await authority.isAcceptedByOpenssl(outcome.artefact, request.digest)).toBe(true);
    const verified = await verifyTimestampOver(outcome.artefact, request.digest, [authority.rootPem]);
    expect(verified.genTimeMicros).toBe(outcome.at);
    expect(outcome.detail).toContain(verified.pinSha256);
  });

  it('confirms nothing that was stamped for another request, over another digest, or by another authority', async () => {
    const other = await openTestAuthority();
    const stale = await anchor.submit(createRequest(1));
    const replaying = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/timestamp-reply' });
      response.end(stale.kind === 'confirmed' ? stale.artefact : undefined);
    });
    await new Promise<void>((resolve) => replaying.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(replaying.address() as AddressInfo).port}/`;
    try {
      const failed = (detail: string) => ({ kind: 'failed', detail: expect.stringContaining(detail) });
      expect(await anchor.submit(createRequest(1, { url }))).toEqual(failed('not made for this request'));
      expect(await anchor.submit(createRequest(2, { url }))).toEqual(failed('another digest'));
      expect(await anchor.submit(createRequest(1, { pem: other.rootPem }))).toMatchObject({ kind: 'failed' });
      expect(await anchor.submit(createRequest(1, { pem: 'none' }))).toEqual(failed('pinned certificate'));
    } finally {
      await new Promise((resolve) => replaying.close(resolve));
      await other.close();
    }
  });

  it('calls no address that is not allowed', async () => {
    for (const url of ['http://169.254.169.254/', 'https://10.0.0.1/', 'http://tsa.example/', 'file:///etc/passwd']) {
      expect(await anchor.submit(createRequest(1, { url }))).toMatchObject({ kind: 'failed' });
    }
  });
});
