import { WORKSPACE_ENTRY_TYPES, type WorkspaceEntryFilters } from '@answer-evidence/contracts';
import { startOfDay } from '../../components/start-of-day.ts';
import type { SearchTexts } from '../../shell/search.ts';

/** The filters that an address states. Dates are days of the reader, from its start up to the end of the other. */
export function readEntryFilters(search: SearchTexts): WorkspaceEntryFilters {
  const type = WORKSPACE_ENTRY_TYPES.find((known) => known === search['type']);
  const after = startOfDay(search['created_after'], 0);
  const before = startOfDay(search['created_before'], 1);
  const { actor_id: actor, answer_log_id: record } = search;
  return {
    ...(type === undefined ? {} : { type }),
    ...(actor === undefined ? {} : { actor_id: actor }),
    ...(record === undefined ? {} : { answer_log_id: record }),
    ...(after === undefined ? {} : { created_after: after }),
    ...(before === undefined ? {} : { created_before: before }),
  };
}
