import type { FindingEvidence, FindingKind } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import type { ProvenPrefix } from '@answer-evidence/verify';

/** Something that is wrong with a log, or with a kept file. */
export type Finding = {
  readonly kind: FindingKind;
  /** A sentence without any text of an answer. */
  readonly detail: string;
  /** The kept leaf that it is about. */
  readonly leaf?: string;
  /** What shows it to somebody else; left out where nothing was signed that contradicts itself. */
  readonly evidence?: Pick<FindingEvidence, 'checkpoints' | 'prefix'>;
};

/** A finding about two signed checkpoints. `smaller` and `larger` are whole notes. */
export function contradiction(
  kind: FindingKind,
  detail: string,
  [smaller, larger]: readonly [string, string],
  prefix: ProvenPrefix | null = null,
): Finding {
  return { kind, detail, evidence: { checkpoints: [smaller, larger], prefix: formatPrefix(prefix) } };
}

function formatPrefix(prefix: ProvenPrefix | null): FindingEvidence['prefix'] {
  if (prefix === null) return null;
  return { tree_size: prefix.size, root_hash: formatHex(prefix.root), proof: prefix.proof.map(formatHex) };
}
