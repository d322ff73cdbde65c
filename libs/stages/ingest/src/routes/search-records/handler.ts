import { boundsOf, mayReadTexts } from '@answer-evidence/access';
import { hashNamedId } from '@answer-evidence/commitments';
import {
  anyUuid,
  isWithin,
  NO_LIMITS,
  SEARCH_SIZE_DEFAULT,
  type SearchReading,
  type SearchResult,
} from '@answer-evidence/contracts';
import { searchRecords } from '@answer-evidence/contracts/operations';
import type { ListedRecord, RecordValues, Workspace } from '@answer-evidence/ports';
import { defineRoute, mayAsk, narrowed, type Route } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { toSummaryResource } from '../../resources/to-record-resource.ts';
import { type HashId, type Meaning, readCircumstances, readIds } from '../../search/read-search.ts';
import { searchTexts } from '../../search/search-texts.ts';

/** An id is looked up under so many hash keys at most, the newest ones. */
const HASH_KEYS_MAX = 8;
const NO_VALUES: RecordValues = { applications: [], environments: [], modes: [] };

/** `POST /api/search`: records by whatever somebody knows of them, without texts. Nothing that was asked is kept. */
export function searchRecordsRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...searchRecords,
    async handle({ body, caller }) {
      const bounds = boundsOf(caller);
      const workspace = await deps.directory.get(caller.workspaceId);
      const { size = SEARCH_SIZE_DEFAULT } = body;
      const text = body.text.trim();
      const found = new Map<string, ListedRecord>();
      const understood: SearchReading[] = [];

      const look = async ({ means, filters }: Meaning): Promise<void> => {
        if (!mayAsk(filters, caller)) return;
        const narrow = narrowed(filters, caller);
        const page = await deps.records.list(workspace.id, narrow, { offset: 0, limit: size });
        for (const one of page.items) found.set(one.record.id, one);
        understood.push({
          means: [...means],
          filters,
          total: page.total,
          total_relation: page.totalIsExact ? 'eq' : 'gte',
        });
      };

      const id = anyUuid.safeParse(text);
      const named = id.success ? await deps.records.find(workspace.id, id.data) : undefined;
      if (named !== undefined && isWithin(bounds ?? NO_LIMITS, named.record)) {
        found.set(named.record.id, named);
        understood.push({ means: ['record_id'], filters: {}, total: 1, total_relation: 'eq' });
      }
      const hashId = await createHashId(deps, workspace);
      for (const meaning of readIds(text, { means: [], filters: {} }, hashId)) await look(meaning);

      const values = (await deps.records.listValues(workspace.id, bounds)) ?? NO_VALUES;
      const { rest, ...within } = readCircumstances({ ...body, text }, deps.clock.nowMicros() / 1000, values);
      const isWhole = understood.some(({ total }) => total > 0);
      let notUnderstood = isWhole || rest === '' ? null : rest;
      if (notUnderstood !== null && within.means.length > 0)
        for (const meaning of readIds(rest, within, hashId)) await look(meaning);
      if (found.size > 0) notUnderstood = null;
      let words: SearchResult['words'] = null;
      if (notUnderstood !== null && mayAsk(within.filters, caller) && mayReadTexts(caller)) {
        const filters = { ...within.filters, within: bounds };
        const searched = await searchTexts(deps, workspace, caller, { session: body.session, rest, filters, size });
        words = searched.said;
        if (searched.found !== undefined && searched.found.records.length > 0) {
          const { records, total, isTotal } = searched.found;
          for (const one of records) found.set(one.record.id, one);
          notUnderstood = null;
          understood.push({
            means: [...within.means, 'words'],
            filters: within.filters,
            total,
            total_relation: isTotal ? 'eq' : 'gte',
          });
        }
      }
      if (!isWhole && found.size === 0 && within.means.length > 0) await look(within);
      const items = [...found.values()]
        .toSorted((one, other) => other.leaf.leaf_index - one.leaf.leaf_index)
        .slice(0, size)
        .map((record) => toSummaryResource(workspace, record));
      const result: SearchResult = { understood, not_understood: notUnderstood, items, words };
      return { status: 200, body: result };
    },
  });
}

async function createHashId(deps: IngestDeps, { id, vault }: Workspace): Promise<HashId> {
  const keys = (await deps.administration.hashKeys(id)).slice(-HASH_KEYS_MAX);
  const opened = keys.map((key) => vault.openHashKey(key.id, key.wrapped_key));
  return (kind, named) => opened.map((key) => hashNamedId(key, kind, named));
}
