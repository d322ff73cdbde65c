import {
  ANCHOR_TYPES,
  type AnchorRequest,
  certificateOf,
  HIDES_RULE,
  hidesCharacters,
  isExternalAnchor,
  logKeysOf,
  type ProblemError,
  type PutTrustPolicyRequest,
  secretOf,
} from '@answer-evidence/contracts';
import { LIVE_KEYS_MAX } from '@answer-evidence/ledger';
import { NOTE_SIGNATURES_MAX, parseWitnessPolicy, type WitnessPolicy, WitnessPolicyError } from '@answer-evidence/note';
import { OutboundError, type OutboundHttp } from '@answer-evidence/ports';
import { parseLogKeys, RekorError } from '@answer-evidence/rekor';

/** What judging a policy asks of the world around it. */
export type PolicyJudges = {
  readonly outbound: OutboundHttp;
  /** Reads pinned certificates in PEM; throws with the reason. */
  readonly parseCertificates: (pem: string) => unknown;
};

/** A note has room for this many cosignatures beside the log's own signatures. */
const WITNESSES_MAX = NOTE_SIGNATURES_MAX - LIVE_KEYS_MAX;

/**
 * Everything that is wrong with a policy beyond its form, all at once: an anchor that is there twice, more anchors
 * demanded than there are external ones, a certificate or a witness policy that cannot be read, an address that may not
 * be called. `secretsKept` are ids of anchors whose secret is stored already.
 */
export function judgePolicy(
  judges: PolicyJudges,
  wanted: PutTrustPolicyRequest,
  secretsKept: ReadonlySet<string>,
): readonly ProblemError[] {
  const faults: ProblemError[] = [];
  const seen = new Set<string>();
  for (const [n, anchor] of wanted.anchors.entries()) {
    const pointer = `/anchors/${n}`;
    if (seen.has(anchor.id))
      faults.push({ pointer: `${pointer}/id`, detail: 'must be unique; another anchor has this id' });
    seen.add(anchor.id);
    faults.push(...judgeAnchor(judges, anchor, pointer, secretsKept));
  }
  const external = wanted.anchors.filter(isExternalAnchor).length;
  if (wanted.anchors_required > external)
    faults.push({
      pointer: '/anchors_required',
      detail: `must be at most ${external}, the number of external anchors`,
    });
  faults.push(...judgeShown(wanted.witness_policy, '/witness_policy'));
  const policy = readWitnessPolicy(wanted.witness_policy);
  if (policy instanceof WitnessPolicyError)
    faults.push({ pointer: '/witness_policy', detail: `must be a C2SP witness policy; ${policy.message}` });
  else faults.push(...judgeWitnesses(judges, policy));
  return faults;
}

/** What is wrong with one anchor; pointers begin with `pointer`. */
export function judgeAnchor(
  { outbound, parseCertificates }: PolicyJudges,
  anchor: AnchorRequest,
  pointer: string,
  secretsKept: ReadonlySet<string>,
): readonly ProblemError[] {
  if (!isExternalAnchor(anchor)) return [];
  const faults = [...judgeShown(anchor.url, `${pointer}/url`)];
  if ('access_key_id' in anchor) faults.push(...judgeShown(anchor.access_key_id, `${pointer}/access_key_id`));
  const address = judgeAddress(outbound, anchor.url);
  if (address !== undefined) faults.push({ pointer: `${pointer}/url`, detail: address });
  const certificates = certificateOf(anchor);
  if (certificates !== null) {
    try {
      parseCertificates(certificates);
    } catch {
      faults.push({ pointer: `${pointer}/certificate_pem`, detail: 'must be a list of PEM certificates' });
    }
  }
  faults.push(...judgeLogKeys(logKeysOf(anchor), `${pointer}/log_keys`));
  const { secret } = ANCHOR_TYPES[anchor.type];
  if (secret !== null && secretOf(anchor) === undefined && !secretsKept.has(anchor.id))
    faults.push({
      pointer: `${pointer}/${secret}`,
      detail: 'is required for an anchor without a stored secret',
    });
  return faults;
}

function judgeLogKeys(text: string | null, pointer: string): readonly ProblemError[] {
  if (text === null) return [];
  try {
    parseLogKeys(text);
    return judgeShown(text, pointer);
  } catch (error) {
    if (!(error instanceof RekorError)) throw error;
    const detail = `must be vkeys of logs, one per line, or a trusted root of Sigstore; ${error.message}`;
    return [{ pointer, detail }];
  }
}

/** Members and auditors read names and addresses of a policy, and compare them by eye. */
export function judgeShown(text: string, pointer: string): readonly ProblemError[] {
  return hidesCharacters(text) ? [{ pointer, detail: HIDES_RULE }] : [];
}

function judgeWitnesses({ outbound }: PolicyJudges, policy: WitnessPolicy): readonly ProblemError[] {
  const faults: ProblemError[] = [];
  if (policy.witnesses.length > WITNESSES_MAX)
    faults.push({ pointer: '/witness_policy', detail: `must have at most ${WITNESSES_MAX} witnesses` });
  for (const { name, url } of policy.witnesses) {
    const fault = url === undefined ? 'must have a URL' : judgeAddress(outbound, url);
    if (fault !== undefined) faults.push({ pointer: '/witness_policy', detail: `the witness ${name} ${fault}` });
  }
  return faults;
}

/** Why a URL is not one that may be called; undefined where it may be, as far as is known without a look-up. */
export function judgeAddress(outbound: OutboundHttp, url: string): string | undefined {
  try {
    outbound.assertAllowed(url);
    return undefined;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // A name that does not resolve today may tomorrow; only where a call may never go is the policy's fault.
    return error.kind === 'address_refused' ? `must have an address that may be called; ${error.message}` : undefined;
  }
}

function readWitnessPolicy(text: string): WitnessPolicy | WitnessPolicyError {
  try {
    return parseWitnessPolicy(text);
  } catch (error) {
    if (error instanceof WitnessPolicyError) return error;
    throw error;
  }
}
