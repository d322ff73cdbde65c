import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { commitPlain, parseEntry } from '@answer-evidence/commitments';
import { type AnswerRecord, labelsOf } from '@answer-evidence/contracts';
import { verifyConsistency } from '@answer-evidence/merkle';
import { parseCheckpoint, parseNote } from '@answer-evidence/note';
import { createFixtureLog, type FixtureLog } from '../../domain/monitor/fixtures/fixture-log.ts';
import { type CheckpointStore, createClient, createMemoryStore, ReceiptError } from './index.ts';
import { createFileStore } from './node/index.ts';

const ID = '0199f3c2-0000-7000-8000-000000000001';
const AT = '2026-11-20T09:00:00.000000Z';
const log = createFixtureLog();
const fork = createFixtureLog({ forkAt: 100 });
const body = {
  application_key: 'support-bot',
  idempotency_key: 'msg-1',
  question: { text: 'q' },
  answer: { text: 'a' },
};

function recordOf(of: FixtureLog, index: number, size: number): AnswerRecord {
  const { id, hash } = parseEntry(of.entry(index));
  return {
    id,
    application_key: 'support-bot',
    environment: 'production',
    idempotency_key: 'msg-1',
    status: 'recorded',
    semantic_refs: [],
    source_refs: [],
    evidence_access_event_ids: [],
    ...labelsOf({}),
    retention_until: AT,
    created_at: AT,
    created_by: { kind: 'application', id: 'support-bot', token_id: ID },
    trace_refs: [],
    record_hash: hash,
    question: { hash: commitPlain('q'), hash_key_id: null, text_state: 'stored', text: 'q' },
    answer: { hash: commitPlain('a'), hash_key_id: null, text_state: 'stored', text: 'a' },
    erasure: null,
    evidence_links: [],
    ledger: { origin: of.origin, leaf_index: index, leaf_hash: 'b'.repeat(64), entry: of.entry(index) },
    receipt: of.receipt(index, size),
    events: [],
  };
}

/** What a service shows: one record after the other, and the tiles of one log. */
type Shown = { readonly records: readonly AnswerRecord[]; readonly of?: FixtureLog; readonly held?: number };

/** A client of a service that shows this. `asked` gets the paths of tiles. */
function createGuarded({ records, of = log, held = 700 }: Shown, store?: CheckpointStore, asked: string[] = []) {
  const left = [...records];
  return createClient({
    registry: 'https://demo.example',
    token: 'aeu_test.token',
    retry: { attemptsMax: 1 },
    receipts: { trust: log.trust(), ...(store === undefined ? {} : { store }) },
    fetch: async (input) => {
      const path = typeof input === 'string' ? new URL(input).pathname : '';
      if (!path.startsWith('/tlog/')) return Response.json(left.shift(), { status: 201 });
      const tile = await of.serve(held, asked)(path.slice('/tlog/demo/'.length));
      return tile === undefined ? new Response(null, { status: 404 }) : new Response(Buffer.from(tile));
    },
  });
}

/** The error of the last create, after all others were accepted. */
async function refusalOf(shown: Shown, store?: CheckpointStore): Promise<ReceiptError> {
  const client = createGuarded(shown, store);
  for (const _ of shown.records.slice(1)) await client.records.create(body);
  const error: unknown = await client.records.create(body).catch((reason: unknown) => reason);
  if (!(error instanceof ReceiptError)) throw new Error(`not refused: ${String(error)}`);
  return error;
}

/** The same receipt with another first hash of its path. */
const withOtherHash = (receipt: string) => receipt.replace(/(\nindex \d+\n).{43}=/, `$1${'A'.repeat(43)}=`);

const sizeOf = (note: string | undefined) =>
  note === undefined ? undefined : parseCheckpoint(parseNote(note).text).size;

describe('a client that verifies receipts', () => {
  it('accepts those of one log in any order, and remembers the largest tree', async () => {
    const store = createMemoryStore();
    const asked: string[] = [];
    const records = [5, 290, 7, 299].map((index, n) => recordOf(log, index, [10, 300, 20, 300][n] ?? 0));
    const [, second, third] = records;
    const client = createGuarded({ records }, store, asked);
    await client.records.create(body);
    // There is nothing to compare the first with.
    expect(asked).toEqual([]);
    await Promise.all([
      client.records.get(second?.id ?? ''),
      client.records.get(third?.id ?? ''),
      client.records.create(body),
    ]);
    expect(sizeOf(await store.load(log.origin))).toBe(300);
    expect(asked.length).toBeLessThan(12);
  });

  it.each([
    ['a larger tree', 200, 300],
    ['a smaller tree', 300, 200],
    ['a tree of the same size', 300, 300],
  ])('refuses %s of a split view, with both signed checkpoints', async (_, first, second) => {
    const store = createMemoryStore();
    const shown = {
      records: [recordOf(log, 150, first), recordOf(fork, 150, second)],
      of: first > second ? log : fork,
    };
    const error = await refusalOf(shown, store);
    expect(error).toMatchObject({ code: 'inconsistent', given: fork.note(second), remembered: log.note(first) });
    expect(error.receipt).toBe(fork.receipt(150, second));
    // The memory is what it was.
    expect(await store.load(log.origin)).toBe(log.note(first));
    if (first === second) return expect(error.prefix).toBeNull();
    const { size = 0, root = new Uint8Array(), proof = [] } = error.prefix ?? {};
    const [smaller, larger] =
      first < second ? [log.note(first), fork.note(second)] : [fork.note(second), log.note(first)];
    const roots = [smaller, larger].map((note) => parseCheckpoint(parseNote(note).text).root);
    expect(root).not.toEqual(roots[0]);
    verifyConsistency(size, Math.max(first, second), root, roots[1] ?? root, proof);
  });

  it('refuses a log that went back and cannot prove what it has signed', async () => {
    const error = await refusalOf({ records: [recordOf(log, 290, 300), recordOf(log, 150, 200)], held: 200 });
    expect(error).toMatchObject({ code: 'unproven', given: log.note(200), remembered: log.note(300) });
    expect(error.message).toMatch(/does not prove that its tree of 200 leaves is the beginning of its tree of 300/);
  });

  it('refuses tiles that do not lead to the signed tree', async () => {
    const error = await refusalOf({ records: [recordOf(log, 150, 200), recordOf(log, 290, 300)], of: fork });
    expect(error.code).toBe('unproven');
  });

  it.each([
    ['untrusted', recordOf(createFixtureLog({ keys: [{ seed: 4, first: 0, last: null }] }), 5, 10)],
    ['untrusted', recordOf(createFixtureLog({ origin: 'log.example/other/1' }), 5, 10)],
    ['invalid', { ...recordOf(log, 5, 10), receipt: withOtherHash(log.receipt(5, 10)) }],
    ['invalid', { ...recordOf(log, 5, 10), receipt: 'nothing' }],
  ])('refuses one that is %s by itself', async (code, record) => {
    const error = await refusalOf({ records: [record] });
    expect({ code: error.code, remembered: error.remembered }).toEqual({ code, remembered: null });
  });

  it('verifies nothing when it was not asked to', async () => {
    const client = createClient({
      registry: 'https://demo.example',
      token: 'aeu_test.token',
      fetch: () => Promise.resolve(Response.json({ ...recordOf(log, 5, 10), receipt: 'nothing' }, { status: 201 })),
    });
    expect((await client.records.create(body)).record.receipt).toBe('nothing');
  });
});

describe('a store in a folder', () => {
  let folder: string | undefined;
  afterEach(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  it('remembers for the next process', async () => {
    folder = await mkdtemp(join(tmpdir(), 'answer-evidence-store-'));
    const made = () => createFileStore(join(folder ?? '', 'made'));
    expect(await made().load(log.origin)).toBeUndefined();
    await createGuarded({ records: [recordOf(log, 150, 200)] }, made()).records.create(body);
    expect(await made().load(log.origin)).toBe(log.note(200));
    const error = await refusalOf({ records: [recordOf(fork, 150, 300)], of: fork }, made());
    expect(error.code).toBe('inconsistent');
    expect(await readdir(join(folder, 'made'))).toHaveLength(1);
  });

  it('is shared by two clients: each refuses what does not fit what the other has seen', async () => {
    folder = await mkdtemp(join(tmpdir(), 'answer-evidence-store-'));
    const path = folder;
    const made = () => createFileStore(path);
    const one = createGuarded({ records: [recordOf(log, 5, 10), recordOf(log, 250, 300)] }, made());
    const other = createGuarded({ records: [recordOf(log, 150, 200), recordOf(fork, 150, 250)] }, made());
    await one.records.create(body);
    await other.records.create(body);
    await one.records.create(body);
    expect(await made().load(log.origin)).toBe(log.note(300));
    await expect(other.records.create(body)).rejects.toMatchObject({
      code: 'inconsistent',
      given: fork.note(250),
      remembered: log.note(300),
    });
    expect(await made().load(log.origin)).toBe(log.note(300));
  });

  it.each([
    ['is damaged', 'half a no'],
    ['is empty', ''],
    ['is of another log', createFixtureLog({ origin: 'log.example/other/1' }).note(200)],
    ['was signed by nobody who is believed', createFixtureLog({ keys: [{ seed: 4, first: 0, last: null }] }).note(200)],
  ])('refuses every receipt while what it remembers %s, and leaves it as it is', async (_, remembered) => {
    const store = createMemoryStore();
    await store.save(log.origin, remembered);
    const error = await refusalOf({ records: [recordOf(log, 250, 300)] }, store);
    expect({ code: error.code, given: error.given, remembered: error.remembered }).toEqual({
      code: 'unproven',
      given: log.note(300),
      remembered,
    });
    expect(error.message).toContain(`what is remembered of ${log.origin} is not a checkpoint that its pinned keys`);
    expect(error.message).toContain('or remove it to begin anew');
    expect(await store.load(log.origin)).toBe(remembered);
  });
});
