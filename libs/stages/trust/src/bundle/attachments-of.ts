import type { JsonObject } from '@answer-evidence/contracts';
import { describeCore } from '@answer-evidence/ledger';
import type { StoredRecord } from '@answer-evidence/ports';
import { EVIDENCE_LINKS, EXPIRIES, type LeafRow, TRACES } from '@answer-evidence/tables';

/** What hangs on a record besides its events, with the cores that the stored rows state; in log order. */
export function attachmentsOf({
  expiries,
  traces,
  links,
}: StoredRecord): readonly { readonly leaf: LeafRow; readonly core: JsonObject }[] {
  return [
    ...expiries.map(({ expiry, leaf }) => ({ leaf, core: describeCore(EXPIRIES, expiry) })),
    ...links.map(({ link, leaf }) => ({ leaf, core: describeCore(EVIDENCE_LINKS, link) })),
    ...traces.map(({ trace, leaf }) => ({ leaf, core: describeCore(TRACES, trace) })),
  ].sort((a, b) => a.leaf.leaf_index - b.leaf.leaf_index);
}
