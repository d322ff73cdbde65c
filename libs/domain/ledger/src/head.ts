import { concatBytes } from '@answer-evidence/encoding';
import type { Frontier } from '@answer-evidence/merkle';
import type { HeadRow } from '@answer-evidence/tables';

const HASH_BYTES = 32;

/** The head of a log, as the next batch starts from it. */
export type Head = {
  readonly treeSize: number;
  readonly frontier: Frontier;
  /** `at` of the last leaf, microseconds. */
  readonly lastAt: number;
  readonly settingsVersion: number;
};

/** Makes the MAC of a head; keyed by a secret that is not in the database. */
export type HeadMac = (parts: readonly (number | Uint8Array)[]) => Uint8Array;

/** The head before the genesis. */
export const EMPTY_HEAD: Head = { treeSize: 0, frontier: [], lastAt: 0, settingsVersion: 0 };

/** A head as it is stored, with its MAC. */
export function formatHead(head: Head, mac: HeadMac): HeadRow {
  const rightEdge = concatBytes(...head.frontier);
  return {
    tree_size: head.treeSize,
    right_edge: rightEdge,
    last_at: head.lastAt,
    settings_version: head.settingsVersion,
    mac: mac([head.treeSize, rightEdge, head.lastAt, head.settingsVersion]),
  };
}

/** The head of a stored row. The MAC is the caller's to check, with `macOfHead`. */
export function parseHead(row: HeadRow): Head {
  const frontier: Uint8Array[] = [];
  for (let at = 0; at < row.right_edge.length; at += HASH_BYTES)
    frontier.push(row.right_edge.subarray(at, at + HASH_BYTES));
  return { treeSize: row.tree_size, frontier, lastAt: row.last_at, settingsVersion: row.settings_version };
}

/** The MAC that a stored head must carry. */
export function macOfHead(row: HeadRow, mac: HeadMac): Uint8Array {
  return mac([row.tree_size, row.right_edge, row.last_at, row.settings_version]);
}
