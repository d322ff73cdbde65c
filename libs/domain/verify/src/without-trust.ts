import type { Outcome, TrustFile } from '@answer-evidence/contracts';

/** The pins of somebody who trusts nobody. It is not a trust file: that has at least one log. */
export const NOBODY: TrustFile = { format: 'answer-evidence-trust/v1', logs: [], witness_policy: null, tsa_roots: [] };

/** What these find depends on whom the reader trusts. */
const BY_TRUST: ReadonlySet<string> = new Set([
  'checkpoint_signature',
  'receipt',
  'witness_cosignatures',
  'external_anchor',
  'anchored',
]);

type Result = {
  readonly check: string;
  readonly outcome: Outcome;
  readonly detail: string;
  readonly compared: { readonly expected: string; readonly actual: string } | null;
};

/** The results of checks that were made with `NOBODY`: those that need a trust file are not decided. */
export function skipByTrust<Check extends Result>(checks: readonly Check[]): readonly Check[] {
  // Evidence that is not of its format fails everywhere, whomever one trusts.
  if (checks.every(({ outcome }) => outcome === 'FAIL')) return checks;
  // Without a receipt no key is needed.
  const isByTrust = ({ check, outcome }: Check) => BY_TRUST.has(check) && (check !== 'receipt' || outcome !== 'NA');
  return checks.map((check) =>
    isByTrust(check) ? { ...check, outcome: 'SKIP', detail: NO_TRUST, compared: null } : check,
  );
}

/** Why nothing is said of a signature. */
export const NO_TRUST = 'who signed this was not verified: give a trust file';
