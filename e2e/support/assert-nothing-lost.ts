import { expect } from '@jest/globals';
import { Client } from 'pg';
import { formatHex } from '@answer-evidence/encoding';
import { appendLeaves, type Frontier } from '@answer-evidence/merkle';
import { verifySignature } from '@answer-evidence/node-crypto';
import { parseCheckpoint, parseNote, parseTlogProof } from '@answer-evidence/note';
import { verifyReceipt } from '@answer-evidence/verify';
import type { Acknowledged } from './creating-client.ts';

/** Where to look, as whom. */
export type Place = { readonly baseUrl: string; readonly token: string; readonly databaseUrl: string };

/**
 * Holds everything that was acknowledged against what is there: every key has one record, with the acknowledged id, and
 * there are no others; every receipt verifies alone, and its tree is a prefix of the present one; the ledger check
 * finds no fault.
 */
export async function assertNothingLost(place: Place, acknowledged: ReadonlyMap<string, Acknowledged>): Promise<void> {
  const listed = await listRecords(place);
  expect(listed.length).toBe(acknowledged.size);
  expect(new Map(listed)).toEqual(new Map([...acknowledged].map(([key, { id }]) => [key, id])));

  const { items } = await get(place, '/api/trust/keys');
  const vkeys: string[] = items.map((key: { vkey: string }) => key.vkey);
  const tree = await deriveTree(place.databaseUrl);
  for (const { receipt, entry, leafHash, leafIndex } of acknowledged.values()) {
    const checks = await verifyReceipt(receipt, entry, vkeys, verifySignature);
    expect(checks.map(({ outcome }) => outcome)).toEqual(['PASS', 'PASS', 'PASS']);
    const proof = parseTlogProof(receipt);
    const checkpoint = parseCheckpoint(parseNote(proof.checkpoint).text);
    expect(proof.index).toBe(leafIndex);
    expect(tree.leaves[leafIndex]).toBe(leafHash);
    expect(tree.roots[checkpoint.size]).toBe(formatHex(checkpoint.root));
  }

  const checked = await fetch(`${place.baseUrl}/api/trust/ledger-checks`, { method: 'POST', headers: headers(place) });
  expect(await checked.json()).toMatchObject({ outcome: 'PASS', findings: [] });
}

/** Every record, as idempotency key and id, through the list. */
export async function listRecords(place: Place): Promise<readonly (readonly [string, string])[]> {
  const records: (readonly [string, string])[] = [];
  let cursor = '';
  do {
    const page = await get(place, `/api/answer-audit-logs?size=200${cursor === '' ? '' : `&cursor=${cursor}`}`);
    for (const { id, idempotency_key: key } of page.items) records.push([key, id]);
    cursor = page.next_cursor ?? '';
  } while (cursor !== '');
  return records;
}

function headers({ token }: Place): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

async function get(place: Place, path: string): Promise<any> {
  const response = await fetch(`${place.baseUrl}${path}`, { headers: headers(place) });
  expect(response.status).toBe(200);
  return response.json();
}

/** The tree at every size it ever had, from the stored leaf hashes alone. */
async function deriveTree(databaseUrl: string): Promise<{ leaves: string[]; roots: string[] }> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ leaf_index: string; leaf_hash: Uint8Array }>(
      'select leaf_index, leaf_hash from answer_evidence.ledger_leaves order by leaf_index',
    );
    const roots = [''];
    let frontier: Frontier = [];
    rows.forEach(({ leaf_index: index, leaf_hash: hash }, size) => {
      expect(Number(index)).toBe(size);
      const grown = appendLeaves(size, frontier, [hash]);
      frontier = grown.frontier;
      roots.push(formatHex(grown.root));
    });
    return { leaves: rows.map((row) => formatHex(row.leaf_hash)), roots };
  } finally {
    await client.end();
  }
}
