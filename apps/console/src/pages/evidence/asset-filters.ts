import { type EvidenceFilters, evidenceKind, evidenceState } from '@answer-evidence/contracts';
import { startOfDay } from '../../components/start-of-day.ts';
import type { SearchTexts } from '../../shell/search.ts';

/** What an asset is found by: its id leads to its page, the others narrow the list. */
export const ASSET_KEYS = ['content_hash', 'answer_log_id', 'asset_id'] as const;

const PLAIN = ['application_key', 'content_type', 'answer_log_id'] as const;
const HEX = /^[0-9a-f]{64}$/i;

/** The filters that an address states. Dates are days of the reader, from its start up to the end of the other. */
export function readAssetFilters(search: SearchTexts): EvidenceFilters {
  const filters: Record<string, string> = {};
  for (const name of PLAIN) if (search[name] !== undefined) filters[name] = search[name];
  const kind = evidenceKind.options.find((known) => known === search['kind']);
  const state = evidenceState.options.find((known) => known === search['state']);
  const hash = search['content_hash'];
  const after = startOfDay(search['created_after'], 0);
  const before = startOfDay(search['created_before'], 1);
  return {
    ...filters,
    ...(hash === undefined ? {} : { content_hash: formatHash(hash) }),
    ...(kind === undefined ? {} : { kind }),
    ...(state === undefined ? {} : { state }),
    ...(after === undefined ? {} : { created_after: after }),
    ...(before === undefined ? {} : { created_before: before }),
  };
}

/** A hash as tools print it, in the form of the service. */
function formatHash(text: string): string {
  return HEX.test(text) ? `sha256:${text.toLowerCase()}` : text;
}
