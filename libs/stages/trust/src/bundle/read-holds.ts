import { boundsOf, type Caller, isAllowed } from '@answer-evidence/access';
import { holdPlacedCore } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { covers } from '@answer-evidence/lifecycle';
import { type HoldStore, StoredDamageError, type StoredHold, type StoredRecord } from '@answer-evidence/ports';
import type { TrustDeps } from '../deps.ts';
import { readOr } from './damage.ts';

/** An entry about a hold with its leaf. */
export type HoldEntry = Pick<StoredHold, 'row' | 'leaf'>;

/** How many holds of a workspace are looked at, the newest first. */
const HOLDS_READ_MAX = 1_000;
const HOLDS_AT_ONCE = 200;

/** Whether a caller may see holds, so that a bundle for them states those of its record. */
export function maySeeHolds(caller: Caller): boolean {
  return isAllowed(caller, 'holds.read') && boundsOf(caller) === undefined;
}

/**
 * The entries below a size of the log about holds that cover the record, in the order of the log; undefined where the
 * log has none of any record, and where one cannot be read: they are not stated then, and the ledger check says what is
 * wrong.
 */
export function readHolds(
  { holds }: Pick<TrustDeps, 'holds'>,
  workspaceId: string,
  record: StoredRecord,
  size: number,
): Promise<readonly HoldEntry[] | undefined> {
  return readOr(async () => {
    const placed = (await listHolds(holds, workspaceId)).filter(({ leaf }) => leaf.leaf_index < size);
    if (placed.length === 0) return undefined;
    return placed
      .filter((hold) => isOver(hold, record))
      .flatMap(({ release, ...hold }) => (release === undefined ? [hold] : [hold, release]))
      .filter(({ leaf }) => leaf.leaf_index < size)
      .toSorted((a, b) => a.leaf.leaf_index - b.leaf.leaf_index);
  }, undefined);
}

async function listHolds(store: Pick<HoldStore, 'list'>, workspaceId: string): Promise<readonly StoredHold[]> {
  const found: StoredHold[] = [];
  while (found.length < HOLDS_READ_MAX) {
    const last = found.at(-1)?.leaf.leaf_index;
    const after = last === undefined ? {} : { beforeLeaf: last };
    const { items } = await store.list(workspaceId, undefined, { ...after, offset: 0, limit: HOLDS_AT_ONCE });
    found.push(...items);
    if (items.length < HOLDS_AT_ONCE) break;
  }
  return found;
}

function isOver({ row }: StoredHold, { record, leaf }: StoredRecord): boolean {
  const parsed = holdPlacedCore.safeParse(parseJsonText(row.core_json));
  if (!parsed.success) throw new StoredDamageError('an entry about a hold cannot be read');
  return covers(parsed.data, { ...record, at: leaf.at });
}
