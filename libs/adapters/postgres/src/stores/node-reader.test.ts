import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatEntry } from '@answer-evidence/commitments';
import { createUuidV7 } from '@answer-evidence/encoding';
import {
  formatHead,
  type Head,
  type NodeReader,
  parseHead,
  planTiles,
  readConsistencyProof,
  readInclusionProofs,
  readRoot,
} from '@answer-evidence/ledger';
import { appendLeaves, frontierRoot, leafHash, verifyConsistency, verifyInclusion } from '@answer-evidence/merkle';
import { proveGrowth, proveLeaves, StoredDamageError } from '@answer-evidence/ports';
import { LEAVES, TILES } from '@answer-evidence/tables';
import { prepareNote } from '../../fixtures/changes.ts';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import { formatInserts } from '../append/insert-rows.ts';
import { createNodeReader } from './node-reader.ts';

let log: TestLog;

beforeAll(async () => {
  log = await openTestLog();
});

afterAll(async () => {
  await log.close();
});

async function storedLeaves(): Promise<readonly Uint8Array[]> {
  const { rows } = await log.owner.query<{ leaf_hash: Uint8Array }>(
    'select leaf_hash from answer_evidence.ledger_leaves where workspace_id = $1 order by leaf_index',
    [log.workspace.id],
  );
  return rows.map((row) => new Uint8Array(row.leaf_hash));
}

const rootOf = (leaves: readonly Uint8Array[]) => frontierRoot(appendLeaves(0, [], leaves).frontier);

/** Checks proofs of the indexes and of the earlier sizes against roots made from the leaves alone. */
async function checkProofs(
  read: NodeReader,
  leaves: readonly Uint8Array[],
  indexes: readonly number[],
  sizes: readonly number[],
): Promise<void> {
  const size = leaves.length;
  const root = rootOf(leaves);
  const together = await readInclusionProofs(read, indexes, size);
  for (const [n, index] of indexes.entries()) {
    const proof = together[n] ?? [];
    const claim = (place: number) => () => verifyInclusion(place, size, leaves[index] ?? new Uint8Array(), proof, root);
    expect(claim(index)).not.toThrow();
    expect(claim((index + 1) % Math.max(size, 2))).toThrow();
  }
  for (const earlier of sizes) {
    const before = rootOf(leaves.slice(0, earlier));
    expect(await readRoot(read, earlier)).toEqual(before);
    const proof = await readConsistencyProof(read, earlier, size);
    expect(() => verifyConsistency(earlier, size, before, root, proof)).not.toThrow();
  }
}

describe('a log that has grown through the write path', () => {
  it('proves every leaf and every earlier tree at 3, 255, 256, 257 and 600 leaves, whatever was read', async () => {
    const ledger = log.openLedger();
    for (const size of [3, 255, 256, 257, 600]) {
      const missing = size - (await storedLeaves()).length;
      await Promise.all(Array.from({ length: missing }, () => ledger.append(log.workspace.id, prepareNote(log))));
      const snapshot = await log.logs.snapshot(log.workspace.id);
      const leaves = await storedLeaves();
      expect(leaves).toHaveLength(size);
      expect(snapshot.root).toEqual(rootOf(leaves));
      const indexes = Array.from({ length: size }, (_, n) => n).filter((n) => size < 260 || n % 29 === 0 || n > 590);
      const sizes = [1, 2, 3, 128, 254, 255, 256, 257, 511, 512, 513, 599, 600].filter((n) => n <= size);
      await checkProofs(snapshot.nodes, leaves, indexes, sizes);
    }
    expect((await log.check()).findings).toEqual([]);
  });

  it('of one leaf proves it with nothing', async () => {
    const [first = new Uint8Array()] = await storedLeaves();
    const read = createNodeReader(() => Promise.reject(new Error('nothing is to be read')), log.workspace.id, 1);
    expect(await readInclusionProofs(read, [0], 1)).toEqual([[]]);
    expect(() => verifyInclusion(0, 1, first, [], first)).not.toThrow();
  });

  it('says that hashes are missing rather than proving from others', async () => {
    const none = createNodeReader(() => Promise.resolve([]), log.workspace.id, 600);
    await expect(readInclusionProofs(none, [3], 600)).rejects.toThrow('hashes are missing');
  });
});

describe('a tile whose hashes were changed', () => {
  it.each([
    ['flipped', 'set_bit(hashes, 40000, 1 - get_bit(hashes, 40000))'],
    ['cut', 'substring(hashes from 1 for 5000)'],
    ['none', `''::bytea`],
  ])('to %s proves nothing to anybody, and says that it is damaged', async (_, changed) => {
    const { nodes, head, root } = await log.logs.snapshot(log.workspace.id);
    const leaves = await log.logs.leaves(log.workspace.id, 3, 4);
    const tree = { size: head.tree_size, root };
    const proofs = [() => proveLeaves(nodes, leaves, tree), () => proveGrowth(nodes, { size: 3 }, tree)];
    const proveAll = () => Promise.all<unknown>(proofs.map((prove) => prove()));
    const sound = await proveAll();
    await log.owner.query('set session_replication_role = replica');
    await log.owner.query('create table kept_tiles as table answer_evidence.ledger_tiles');
    await log.owner.query(`update answer_evidence.ledger_tiles set hashes = ${changed} where tile_index = 0`);
    for (const prove of proofs) await expect(prove()).rejects.toThrow(StoredDamageError);
    await log.owner.query('truncate answer_evidence.ledger_tiles');
    await log.owner.query('insert into answer_evidence.ledger_tiles select * from kept_tiles');
    await log.owner.query('drop table kept_tiles');
    await log.owner.query('set session_replication_role = origin');
    expect(await proveAll()).toEqual(sound);
  });
});

describe('a log of more than 65,536 leaves', () => {
  it('proves leaves and earlier trees across tiles of tiles', async () => {
    const SIZE = 66_050;
    const { head: row } = await log.logs.snapshot(log.workspace.id);
    const head = parseHead(row);
    const older = await storedLeaves();
    const added = Array.from({ length: SIZE - head.treeSize }, (_, n) => {
      const index = head.treeSize + n;
      const id = createUuidV7(index, new Uint8Array(10));
      const at = head.lastAt + 1 + n;
      const fields = {
        type: 'export_made' as const,
        id,
        subject: log.workspace.id,
        seq: 0,
        hash: log.random.bytes(32),
        at,
      };
      return { ...fields, leaf_index: index, leaf_hash: leafHash(formatEntry(fields)) };
    });
    const hashes = added.map((leaf) => leaf.leaf_hash);
    const leaves = [...older, ...hashes];
    const planned = await planTiles(head.treeSize, hashes, async (level, from, to) => {
      if (level === 0) return leaves.slice(from, to);
      const { rows } = await log.owner.query<{ root: Uint8Array }>(
        `select root from answer_evidence.ledger_tiles
           where level = $1 and tile_index >= $2 and tile_index < $3 order by tile_index`,
        [level - 1, from, to],
      );
      return rows.map(({ root }) => root);
    });
    expect(planned.filter(({ level }) => level === 1)).toHaveLength(1);
    const grown = appendLeaves(head.treeSize, head.frontier, hashes);
    const next: Head = { ...head, treeSize: SIZE, frontier: grown.frontier, lastAt: head.lastAt + added.length };
    const written = formatHead(next, log.workspace.vault.mac);
    const client = await log.owner.connect();
    try {
      const inserts = [
        ...formatInserts(LEAVES, log.workspace.id, added),
        ...formatInserts(TILES, log.workspace.id, planned),
      ];
      await Promise.all(inserts.map((insert) => client.query(insert)));
      await client.query(
        'update answer_evidence.ledger_heads set tree_size = $1, right_edge = $2, last_at = $3, mac = $4',
        [written.tree_size, written.right_edge, written.last_at, written.mac],
      );
    } finally {
      client.release();
    }
    const snapshot = await log.logs.snapshot(log.workspace.id);
    expect(snapshot.root).toEqual(rootOf(leaves));
    const indexes = [
      0,
      1,
      255,
      256,
      599,
      600,
      32_767,
      32_768,
      65_279,
      65_280,
      65_535,
      65_536,
      65_791,
      65_792,
      SIZE - 1,
    ];
    const sizes = [1, 255, 256, 257, 600, 32_768, 65_280, 65_535, 65_536, 65_537, 65_792, 66_000, SIZE];
    await checkProofs(snapshot.nodes, leaves, indexes, sizes);
  });
});
