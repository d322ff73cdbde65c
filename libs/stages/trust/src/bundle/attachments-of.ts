import type { JsonObject } from '@answer-evidence/contracts';
import { describeCore } from '@answer-evidence/ledger';
import type { StoredRecord } from '@answer-evidence/ports';
import { EVIDENCE_LINKS, EXPIRIES, type LeafRow, TRACES } from '@answer-evidence/tables';

/** What hangs on a record besides its events; `describe` gives the core that its stored row states. */
type Attachment = { readonly leaf: LeafRow; readonly describe: () => JsonObject };

/** The attachments of a record, in log order. */
export function attachmentsOf({ expiries, traces, links }: StoredRecord): readonly Attachment[] {
  return [
    ...expiries.map(({ expiry, leaf }) => ({ leaf, describe: () => describeCore(EXPIRIES, expiry) })),
    ...links.map(({ link, leaf }) => ({ leaf, describe: () => describeCore(EVIDENCE_LINKS, link) })),
    ...traces.map(({ trace, leaf }) => ({ leaf, describe: () => describeCore(TRACES, trace) })),
  ].sort((a, b) => a.leaf.leaf_index - b.leaf.leaf_index);
}
