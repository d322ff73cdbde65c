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

/** Makes the MAC of a row; keyed by a secret that is not in the database. `label` names the table. */
export type RowMac = (label: string, parts: readonly (string | number | Uint8Array)[]) => Uint8Array;

const LABEL = 'ledger_heads/v2';
/** Of heads from before rows outside of the log had MACs. */
const LABEL_V1 = 'ledger_heads';

/** The head before the genesis. */
export const EMPTY_HEAD: Head = { treeSize: 0, frontier: [], lastAt: 0, settingsVersion: 0 };

/** A head as it is stored, with its MAC. */
export function formatHead(head: Head, mac: RowMac): HeadRow {
  const frontierBytes = concatBytes(...head.frontier);
  return {
    tree_size: head.treeSize,
    right_edge: frontierBytes,
    last_at: head.lastAt,
    settings_version: head.settingsVersion,
    mac: mac(LABEL, [head.treeSize, frontierBytes, head.lastAt, head.settingsVersion]),
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
export function macOfHead(row: HeadRow, mac: RowMac): Uint8Array {
  return mac(LABEL, partsOf(row));
}

/**
 * The MAC that it carried before rows outside of the log had MACs. Such a head vouches for nothing but that the
 * workspace's rows are still to be sealed.
 */
export function macOfHeadV1(row: HeadRow, mac: RowMac): Uint8Array {
  return mac(LABEL_V1, partsOf(row));
}

function partsOf(row: HeadRow): readonly (number | Uint8Array)[] {
  return [row.tree_size, row.right_edge, row.last_at, row.settings_version];
}
