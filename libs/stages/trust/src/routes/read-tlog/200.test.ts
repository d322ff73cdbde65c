import { beforeAll, describe, expect, it } from '@jest/globals';
import { concatBytes, parseHex, utf8 } from '@answer-evidence/encoding';
import { appendLeaves, leafHash, nodeFromTile } from '@answer-evidence/merkle';
import { verifySignature } from '@answer-evidence/node-crypto';
import { parseCheckpoint, parseNote, parseVkey, verifyNote } from '@answer-evidence/note';
import { createRecord, openTrust, putPolicy, runConsumer, type TrustTest } from '../../fixtures/trust.ts';

const RECORDS_MADE = 258;

describe('GET /tlog/{workspace}/{+path}', () => {
  let stage: TrustTest;
  let firstSize: number;
  beforeAll(async () => {
    stage = await openTrust();
    firstSize = (await stage.logs.snapshot(stage.workspace.id)).head.tree_size;
    await Promise.all(Array.from({ length: RECORDS_MADE }, () => createRecord(stage)));
    await runConsumer(stage, 'trust.publish');
  });

  async function read(path: string): Promise<Uint8Array> {
    const reply = await stage.call('GET', `/tlog/${stage.workspace.slug}/${path}`, { as: stage.member });
    expect([path, reply.status]).toEqual([path, 200]);
    return reply.body instanceof Uint8Array ? reply.body : utf8(String(reply.body));
  }

  const last = `p/${RECORDS_MADE - 256}`;
  const flip = (hashes: readonly Uint8Array[]) =>
    hashes.map((hash, n) => (n === 1 ? hash.map((byte) => byte ^ 1) : hash));
  it.each<[what: string, method: 'leaves' | 'tileHashes', path: string, harm: (rows: readonly never[]) => unknown]>([
    ['a bundle without one of its leaves', 'leaves', 'tile/entries/000', (leaves) => leaves.slice(1)],
    [
      'a bundle with another leaf',
      'leaves',
      `tile/entries/001.${last}`,
      (leaves) => leaves.map((leaf: object) => ({ ...leaf, at: 7 })),
    ],
    ['a tile without one of its hashes', 'tileHashes', 'tile/0/000', (hashes) => hashes.slice(1)],
    ['a tile with another hash', 'tileHashes', 'tile/0/000', flip],
    ['a part of a tile with another hash', 'tileHashes', 'tile/0/000.p/7', flip],
    [
      'a tile of which a hash was cut',
      'tileHashes',
      'tile/0/000',
      (all: readonly Uint8Array[]) => all.map((hash) => hash.slice(1)),
    ],
  ])('says of %s that it is damaged', async (_what, method, path, harm) => {
    const whole = stage.logs[method].bind(stage.logs) as (...asked: unknown[]) => Promise<readonly never[]>;
    const { [method]: kept } = stage.logs;
    Object.assign(stage.logs, { [method]: async (...asked: unknown[]) => harm(await whole(...asked)) });
    const reply = await stage
      .call('GET', `/tlog/${stage.workspace.slug}/${path}`, { as: stage.member })
      .finally(() => Object.assign(stage.logs, { [method]: kept }));
    expect(reply).toMatchObject({ status: 500, code: 'content_damaged' });
    await read(path);
  });

  it('says of a last tile that differs from the root of the tree that it is damaged', async () => {
    const { snapshot } = stage.logs;
    const another = async (id: string) => ({ ...(await snapshot(id)), root: new Uint8Array(32) });
    Object.assign(stage.logs, { snapshot: another });
    const reply = await stage.call('GET', `/tlog/${stage.workspace.slug}/tile/0/001.${last}`, { as: stage.member });
    Object.assign(stage.logs, { snapshot });
    expect(reply).toMatchObject({ status: 500, code: 'content_damaged' });
  });

  /** The entries of a bundle: each after its length as a big-endian 16-bit number. */
  function entriesOf(bundle: Uint8Array): readonly Uint8Array[] {
    const entries: Uint8Array[] = [];
    for (let at = 0; at < bundle.length;) {
      const from = at + 2;
      at = from + (bundle[at] ?? 0) * 256 + (bundle[at + 1] ?? 0);
      entries.push(bundle.subarray(from, at));
    }
    return entries;
  }

  it('gives entries that hash to the tiles, and tiles that hash to the signed checkpoint', async () => {
    const note = parseNote(new TextDecoder().decode(await read('checkpoint')));
    expect(await verifyNote(note, [parseVkey(stage.workspace.vkey)], verifySignature)).toHaveLength(1);
    const { origin, size, root } = parseCheckpoint(note.text);
    expect([origin, size]).toEqual([stage.workspace.origin, firstSize + RECORDS_MADE]);

    const entries = [
      ...entriesOf(await read('tile/entries/000')),
      ...entriesOf(await read(`tile/entries/001.p/${size - 256}`)),
    ];
    const hashes = entries.map((entry) => leafHash(entry));
    expect(concatBytes(...hashes.slice(0, 256))).toEqual(new Uint8Array(await read('tile/0/000')));
    expect(concatBytes(...hashes.slice(256))).toEqual(new Uint8Array(await read(`tile/0/001.p/${size - 256}`)));
    expect(new Uint8Array(await read('tile/1/000.p/1'))).toEqual(nodeFromTile(hashes.slice(0, 256)));
    expect(appendLeaves(0, [], hashes).root).toEqual(root);
  });

  it('still gives a partial tile that the log has grown past', async () => {
    const full = await read('tile/0/000');
    expect(await read('tile/0/000.p/7')).toEqual(full.subarray(0, 7 * 32));
  });

  it('holds the very entry and leaf hash that a record’s answer shows', async () => {
    const { ledger } = await createRecord(stage);
    const width = ledger.leaf_index - 255;
    expect(entriesOf(await read(`tile/entries/001.p/${width}`)).at(-1)).toEqual(utf8(ledger.entry));
    expect((await read(`tile/0/001.p/${width}`)).slice(-32)).toEqual(parseHex(ledger.leaf_hash));
  });
});

describe('GET /tlog/{workspace}/{+path} of a public log', () => {
  it('needs no token as long as the policy says so, and says that anybody may keep it', async () => {
    const stage = await openTrust();
    await putPolicy(stage, { public_log: true });
    await runConsumer(stage, 'trust.publish');
    expect(await stage.call('GET', `/tlog/${stage.workspace.slug}/checkpoint`)).toMatchObject({
      status: 200,
      headers: { 'Cache-Control': 'public, max-age=2' },
    });
    expect(await stage.call('GET', `/tlog/${stage.workspace.slug}/tile/0/000.p/2`)).toMatchObject({
      status: 200,
      headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
    });
    expect(await stage.call('GET', '/tlog/other/checkpoint')).toMatchObject({ status: 401 });
    await putPolicy(stage, { public_log: false });
    expect(await stage.call('GET', `/tlog/${stage.workspace.slug}/checkpoint`)).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
  });
});

describe('GET /tlog/{workspace}/checkpoint', () => {
  it('shows what was published and not what has come since', async () => {
    const stage = await openTrust();
    const read = () => stage.call('GET', `/tlog/${stage.workspace.slug}/checkpoint`, { as: stage.member });
    expect(await read()).toMatchObject({ status: 404, code: 'not_found' });
    await runConsumer(stage, 'trust.publish');
    const first = (await read()).body;
    await createRecord(stage);
    expect((await read()).body).toEqual(first);
  });
});
