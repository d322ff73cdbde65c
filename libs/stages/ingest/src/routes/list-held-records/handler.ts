import { listHeldRecords } from '@answer-evidence/contracts/operations';
import type { ListedRecord } from '@answer-evidence/ports';
import {
  askPage,
  authenticated,
  defineRoute,
  leafIndexOf,
  leafPageOf,
  leafPlace,
  type Route,
} from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { getStoredHold } from '../../holds/get-stored-hold.ts';
import { readHold } from '../../holds/to-hold-resource.ts';
import { toSummaryResource } from '../../resources/to-record-resource.ts';

/** `GET /api/holds/{hold_id}/records`: what a hold covers now, newest first, without texts. */
export function listHeldRecordsRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...listHeldRecords,
    async handle({ params, query, caller }) {
      const workspace = await deps.directory.get(authenticated(caller).workspaceId);
      const {
        id,
        filters,
        answer_log_ids: ids = [],
      } = readHold(await getStoredHold(deps, workspace.id, params.hold_id));
      const asked = askPage(workspace.vault, { list: 'held records', id }, leafPlace, query);
      const page = leafPageOf(asked);
      const { records: items, ...counted } =
        filters === undefined
          ? await listNamed(deps, workspace.id, ids, page)
          : await deps.records.list(workspace.id, filters, page);
      const body = asked.show({ items, ...counted }, leafIndexOf, (record) => toSummaryResource(workspace, record));
      return { status: 200, body };
    },
  });
}

async function listNamed(
  { holds, records }: Pick<IngestDeps, 'holds' | 'records'>,
  workspaceId: string,
  ids: readonly string[],
  { beforeLeaf = Infinity, offset, limit }: ReturnType<typeof leafPageOf>,
): Promise<{ readonly records: readonly ListedRecord[]; readonly total: number; readonly totalIsExact: boolean }> {
  const leaves = (await holds.records(workspaceId, ids)).map(({ leafIndex }) => leafIndex);
  const wanted = leaves
    .filter((leaf) => leaf < beforeLeaf)
    .toSorted((a, b) => b - a)
    .slice(offset, offset + limit);
  const found = await records.listAt(workspaceId, wanted);
  return {
    records: found.toSorted((a, b) => b.leaf.leaf_index - a.leaf.leaf_index),
    total: leaves.length,
    totalIsExact: true,
  };
}
