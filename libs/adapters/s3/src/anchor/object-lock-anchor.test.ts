import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOutboundHttp } from '@answer-evidence/outbound-http';
import { type AnchorOutcome, PUBLISHED_NOTES_MAX } from '@answer-evidence/ports';
import { anchorContract } from '@answer-evidence/ports/contracts';
import {
  type Misbehaviour,
  openFakeObjectStore,
  openMisbehavingPeers,
  type StoreFault,
} from '@answer-evidence/testing';
import { createRequest, ORIGIN, type Place, SECRET } from './fixtures/requests.ts';
import { createObjectLockAnchor } from './object-lock-anchor.ts';

const NOW_MICROS = Date.parse('2026-11-21T12:00:00Z') * 1000;
const outbound = createOutboundHttp({ allowList: new Set(['127.0.0.1:*']) });
const anchor = createObjectLockAnchor({ outbound, clock: { nowMicros: () => NOW_MICROS }, timeoutMs: 500 });

type Opened = { readonly peers: Awaited<ReturnType<typeof openMisbehavingPeers>> };
let opened: Opened;
beforeAll(async () => {
  opened = { peers: await openMisbehavingPeers('application/xml') };
});
afterAll(() => opened.peers.close());

async function withStore(
  action: (
    given: Awaited<ReturnType<typeof openFakeObjectStore>>,
    submit: (place?: Partial<Place>, n?: number) => Promise<AnchorOutcome>,
  ) => Promise<void>,
): Promise<void> {
  const given = await openFakeObjectStore();
  try {
    await action(given, (place, n = 1) => anchor.submit(createRequest({ url: given.url, ...place }, n)));
  } finally {
    await given.close();
  }
}

describe('createObjectLockAnchor keeps the contract:', () => {
  for (const promise of anchorContract) {
    it(promise.guarantee, () =>
      withStore(async ({ url }) => {
        const { urls, words } = opened.peers;
        const kinds = Object.keys(urls) as Misbehaviour[];
        await promise.prove({
          anchor,
          request: (n, signal) => createRequest({ url }, n, signal),
          isReadable: true,
          misbehaving: Object.fromEntries(kinds.map((kind) => [kind, createRequest({ url: urls[kind] }, 1)])),
          unspeakable: [words, SECRET, 'AKEXAMPLE', '127.0.0.1'],
        });
      }),
    );
  }
});

describe('createObjectLockAnchor', () => {
  it('writes the text under the log and its size, and says which version is locked until when', () =>
    withStore(async ({ store }, submit) => {
      const outcome = await submit();
      const digest = Buffer.from(createRequest({ url: '' }, 1).digest).toString('hex');
      const key = `checkpoints/log_example_answers_demo/newest-first/9007199254740990-1-${digest}`;
      expect(outcome).toMatchObject({ kind: 'confirmed', at: NOW_MICROS });
      const artefact: unknown = JSON.parse(
        outcome.kind === 'confirmed' ? Buffer.from(outcome.artefact).toString() : '',
      );
      const versions = store.versions.get(`/anchors/${key}`) ?? [];
      expect(artefact).toEqual({
        bucket: 'anchors',
        etag: '5d41402abc4b2a76b9719d911017c592',
        key,
        retain_until: '2026-12-21T12:00:00.000000Z',
        version_id: versions[0]?.id,
      });
      expect(versions.map(({ body, mode }) => [body.toString(), mode])).toEqual([
        [createRequest({ url: '' }, 1).note, 'COMPLIANCE'],
      ]);
    }));

  it('finds the object when it is repeated, and only extends its retention', () =>
    withStore(async ({ store }, submit) => {
      await submit({ days: 30 });
      expect(await submit({ days: 31 })).toMatchObject({ kind: 'confirmed' });
      expect(await submit({ days: 31 })).toMatchObject({ kind: 'confirmed' });
      expect([...store.versions.values()].map((versions) => versions.length)).toEqual([1]);
      expect(store.requests.filter((request) => /^PUT [^?]*$/.test(request))).toHaveLength(1);
    }));

  it('writes a version of its own when others have put something else in its place', () =>
    withStore(async ({ store }, submit) => {
      const first = await submit();
      const [key = ''] = [...store.versions.keys()];
      store.versions.get(key)?.push({ id: 'foreign', body: Buffer.from('x'), mode: undefined, until: undefined });
      const second = await submit();
      expect([first.kind, second.kind]).toEqual(['confirmed', 'confirmed']);
      expect(store.versions.get(key)).toHaveLength(3);
    }));

  it.each([
    ['no lock', 'created without object lock'],
    ['no versions', 'versioning is off'],
    ['governance', 'not under COMPLIANCE'],
    ['shorter retention', 'less time than requested'],
    ['other bytes', 'other bytes'],
    ['forgets the lock', 'refused to show the lock'],
    ['another version', 'another version'],
  ] satisfies readonly [StoreFault, string][])('confirms nothing where a store has %s', (fault, reason) =>
    withStore(async ({ store }, submit) => {
      store.fault = fault;
      expect(await submit()).toEqual({ kind: 'failed', detail: expect.stringContaining(reason) });
    }),
  );

  it('sends nothing where the prefix, the URL or the address is not one to be used', () =>
    withStore(async ({ store, url }, submit) => {
      for (const prefix of ['..', 'a/../b', './a', 'a//b', '/a']) {
        expect(await submit({ prefix })).toMatchObject({ kind: 'failed', detail: expect.stringContaining('prefix') });
      }
      expect(await submit({ url: `${url}/path` })).toMatchObject({
        kind: 'failed',
        detail: expect.stringContaining('URL'),
      });
      for (const address of ['http://169.254.169.254', 'https://10.0.0.1', 'http://s3.example']) {
        expect(await submit({ url: address })).toMatchObject({ kind: 'failed' });
      }
      const { secret_access_key: _, ...config } = createRequest({ url }, 1).config as never as Record<string, unknown>;
      const request = { ...createRequest({ url }, 1), config: config as never };
      expect(await anchor.submit(request)).toMatchObject({ kind: 'failed', detail: expect.stringContaining('secret') });
      expect(store.requests).toEqual([]);
    }));

  it('writes without a prefix too, and under one that ends with a slash', () =>
    withStore(async ({ store }, submit) => {
      expect((await submit({ prefix: '' })).kind).toBe('confirmed');
      expect((await submit({ prefix: 'a/b.c/' })).kind).toBe('confirmed');
      expect([...store.versions.keys()].map((key) => key.replace(/[0-9a-f]{64}$/, ''))).toEqual([
        '/anchors/log_example_answers_demo/newest-first/9007199254740990-1-',
        '/anchors/a/b.c/log_example_answers_demo/newest-first/9007199254740990-1-',
      ]);
    }));

  it('reads what is locked also under a mark of deletion, a version of somebody else, and stray objects', () =>
    withStore(async ({ store, url }, submit) => {
      await submit({}, 7);
      await submit({}, 12);
      const foreign = { mode: undefined, until: undefined };
      const [older = '', newer = ''] = [...store.versions.keys()];
      store.versions.get(newer)?.push({ id: 'mark', body: Buffer.from(''), ...foreign, isMark: true });
      store.versions.get(older)?.push({ id: 'foreign', body: Buffer.from('not a note'), ...foreign });
      const folder = newer.replace(/[^/]*$/, '');
      store.versions.set(`${folder}0`, [{ id: 'huge', body: Buffer.alloc(100_000), ...foreign }]);
      store.versions.set(`${folder}00`, [{ id: 'a b', body: Buffer.from('a version id that cannot be'), ...foreign }]);
      const { config, signal } = createRequest({ url }, 1);
      const reading = await anchor.readNewest({ config, signal, origin: ORIGIN });
      if (reading.kind === 'failed') throw new Error(reading.detail);
      const notes = [12, 7].map((n) => createRequest({ url }, n).note);
      expect(reading.notes.map(({ note }) => note)).toEqual(['', notes[0], 'not a note', notes[1]]);
      expect(reading.notes[1]?.place).toBe(`${newer.replace('/anchors/', '')} in the bucket anchors`);
    }));

  it('asks for one list and a few objects, however many there are', () =>
    withStore(async ({ store, url }, submit) => {
      await submit({}, 1);
      const [key = ''] = [...store.versions.keys()];
      const folder = key.replace(/[^/]*$/, '');
      for (let n = 0; n < 500; n++) store.versions.set(`${folder}9-${n}`, store.versions.get(key) ?? []);
      store.requests.splice(0);
      const { config, signal } = createRequest({ url }, 1);
      expect(await anchor.readNewest({ config, signal, origin: ORIGIN })).toMatchObject({ kind: 'read' });
      expect(store.requests).toHaveLength(1 + PUBLISHED_NOTES_MAX);
    }));

  it('takes a digest that is not of the text for a mistake of its caller', async () => {
    const request = { ...createRequest({ url: 'http://127.0.0.1:1' }, 1), digest: new Uint8Array(32) };
    await expect(anchor.submit(request)).rejects.toThrow('not that of the checkpoint');
  });
});
