import {
  type Hold,
  type HoldFilters,
  type HoldPlacedCore,
  holdPlacedCore,
  holdReleasedCore,
} from '@answer-evidence/contracts';
import { formatHex, formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import { StoredDamageError, type StoredHold, type Workspace } from '@answer-evidence/ports';
import type { LeafRow, WorkspaceEntryRow } from '@answer-evidence/tables';
import type { IngestDeps } from '../deps.ts';

/** What the log says that a hold covers. Throws `StoredDamageError`. */
export function readHold({ row }: StoredHold): HoldPlacedCore {
  return read(holdPlacedCore, row);
}

/** A hold as the API returns it, with how many records it covers now. */
export async function toHoldResource(
  { records }: Pick<IngestDeps, 'records'>,
  workspace: Workspace,
  stored: StoredHold,
): Promise<Hold> {
  const core = readHold(stored);
  const { release } = stored;
  const end = release && { leaf: release.leaf, core: read(holdReleasedCore, release.row) };
  return {
    id: core.id,
    matter: core.matter,
    reason: core.reason,
    filters: core.filters ?? null,
    answer_log_ids: core.answer_log_ids ?? null,
    placed_at: formatTimestamp(stored.leaf.at),
    placed_by: core.actor,
    ledger: toPosition(workspace, stored.leaf),
    release:
      end === undefined
        ? null
        : {
            released_at: formatTimestamp(end.leaf.at),
            released_by: end.core.actor,
            reason: end.core.reason,
            ledger: toPosition(workspace, end.leaf),
          },
    records:
      core.filters === undefined
        ? { count: core.answer_log_ids?.length ?? 0, relation: 'eq' }
        : await count(records, workspace.id, core.filters),
  };
}

async function count(
  records: IngestDeps['records'],
  workspaceId: string,
  filters: HoldFilters,
): Promise<Hold['records']> {
  const { total, totalIsExact } = await records.list(workspaceId, filters, { offset: 0, limit: 1 });
  return { count: total, relation: totalIsExact ? 'eq' : 'gte' };
}

function toPosition({ origin }: Workspace, leaf: LeafRow): Hold['ledger'] {
  return { origin, leaf_index: leaf.leaf_index, leaf_hash: formatHex(leaf.leaf_hash) };
}

function read<Core>(
  schema: { safeParse(value: unknown): { readonly success: true; readonly data: Core } | { readonly success: false } },
  row: WorkspaceEntryRow,
): Core {
  const parsed = schema.safeParse(parseJsonText(row.core_json));
  if (!parsed.success) throw new StoredDamageError('an entry about a hold cannot be read');
  return parsed.data;
}
