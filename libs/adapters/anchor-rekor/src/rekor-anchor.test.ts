import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sha256 } from '@answer-evidence/digest';
import { utf8 } from '@answer-evidence/encoding';
import { verifySignature } from '@answer-evidence/node-crypto';
import { createOutboundHttp } from '@answer-evidence/outbound-http';
import type { AnchorRequest } from '@answer-evidence/ports';
import { anchorContract } from '@answer-evidence/ports/contracts';
import { verifyEntry } from '@answer-evidence/rekor';
import {
  type Misbehaviour,
  openMisbehavingPeers,
  openTestRekor,
  type RekorConduct,
  type TestRekor,
} from '@answer-evidence/testing';
import { createRekorAnchor } from './rekor-anchor.ts';

const NOW = Date.UTC(2026, 10, 20) * 1000;
const clock = { nowMicros: () => NOW };
const outbound = createOutboundHttp({ allowList: new Set(['127.0.0.1:*']) });
const anchor = createRekorAnchor({ outbound, clock, verifySignature });
const hasty = createRekorAnchor({ outbound, clock, verifySignature, timeoutMs: 500 });

let log: TestRekor;
let peers: Awaited<ReturnType<typeof openMisbehavingPeers>>;
beforeAll(async () => {
  log = await openTestRekor();
  peers = await openMisbehavingPeers('application/json');
});
beforeEach(() => {
  log.conduct = 'takes entries';
});
afterAll(async () => {
  await log.close();
  await peers.close();
});

type Changes = { readonly url?: string; readonly keys?: string; readonly signal?: AbortSignal };

function createRequest(n: number, changes: Changes = {}): AnchorRequest {
  const text = `log.example/answers/demo\n${n}\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n`;
  const { url = log.url, keys = log.vkey, signal = new AbortController().signal } = changes;
  return {
    config: { id: 'rekor', type: 'rekor', url, log_keys: keys, required: true },
    digest: sha256(utf8(text)),
    note: `${text}\n— log.example/answers/demo AAAAAAAAAAA=\n`,
    signal,
  };
}

const failed = (detail: string) => ({ kind: 'failed', detail: expect.stringContaining(detail) });

describe('createRekorAnchor keeps the contract:', () => {
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

describe('createRekorAnchor', () => {
  it('keeps an entry that the verifier of bundles believes under the key or the trusted root, and no time', async () => {
    const request = createRequest(7);
    const outcome = await anchor.submit(request);
    if (outcome.kind === 'failed') throw new Error(outcome.detail);
    expect(outcome.at).toBeNull();
    const index = log.size - 1;
    for (const keys of [log.vkey, log.trustedRoot(), log.trustedRoot('2026-01-01T00:00:00Z')])
      expect(await verifyEntry(outcome.artefact, request.digest, keys, verifySignature)).toMatchObject({ index });
  });

  const OUTCOMES: readonly (readonly [RekorConduct, string])[] = [
    ['is retired', 'the log is retired and takes no more entries'],
    ['has it already', 'the log has this very entry already'],
    ['is too busy', 'takes no more entries for now (status 503)'],
    ['refuses', 'refused the entry (status 400)'],
    ['forges the proof', 'the proof of the entry does not hold'],
    ['logs another hash', 'the entry is of another hash'],
    ['signs by another key', 'no trusted key signed the note'],
    ['states another tree', 'the entry states another tree than its checkpoint'],
    ['responds in HTML', 'is not an entry of Rekor v2'],
    ['responds with another entry type', 'is not an entry of Rekor v2'],
  ];
  for (const [conduct, detail] of OUTCOMES) {
    it(`says what is wrong with a log that ${conduct}, without its words`, async () => {
      await anchor.submit(createRequest(1));
      log.conduct = conduct;
      const outcome = await anchor.submit(createRequest(2));
      expect(outcome).toEqual(failed(detail));
      expect(outcome.detail).not.toContain('words-of-the-log');
    });
  }

  it('sends nothing to a log that a trusted root calls retired, and says what to set', async () => {
    const before = log.size;
    const request = createRequest(1, { keys: log.trustedRoot('2026-01-01T00:00:00Z') });
    expect(await anchor.submit(request)).toEqual(failed('set url and log_keys to a newer one'));
    expect(await anchor.probe?.(request)).toEqual(failed('is retired'));
    expect(log.size).toBe(before);
    const later = createRequest(1, { keys: log.trustedRoot('2027-01-01T00:00:00Z') });
    expect(await anchor.submit(later)).toMatchObject({ kind: 'confirmed' });
  });

  it('tries a log by its checkpoint, and adds nothing to it', async () => {
    const before = log.size;
    expect(await anchor.probe?.(createRequest(1))).toMatchObject({ kind: 'works' });
    log.conduct = 'signs by another key';
    expect(await anchor.probe?.(createRequest(1))).toEqual(failed('no trusted key signed the note'));
    expect(log.size).toBe(before);
  });

  it('makes a key for each entry, so that one checkpoint may be logged again', async () => {
    const bodies = new Set<string>();
    for (let times = 0; times < 3; times++) {
      const outcome = await anchor.submit(createRequest(1));
      if (outcome.kind === 'failed') throw new Error(outcome.detail);
      bodies.add(
        (JSON.parse(new TextDecoder().decode(outcome.artefact)) as { readonly canonicalizedBody: string })
          .canonicalizedBody,
      );
    }
    expect(bodies.size).toBe(3);
  });

  it('calls no address that is not allowed', async () => {
    for (const url of ['http://169.254.169.254/', 'https://10.0.0.1/', 'http://rekor.example/', 'file:///etc/passwd']) {
      expect(await anchor.submit(createRequest(1, { url }))).toMatchObject({ kind: 'failed' });
    }
  });
});
