import {
  type BundleAnchor,
  type BundleRenewal,
  isEntryAnchor,
  isExternalAnchor,
  isTokenAnchor,
  type PinnedAnchor,
  type ProofBundle,
  type TrustFile,
} from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { parseBase64, utf8 } from '@answer-evidence/encoding';
import type { VerifySignature } from '@answer-evidence/note';
import { RekorError, verifyEntry } from '@answer-evidence/rekor';
import { followRenewals } from './follow-renewals.ts';
import { assertNotBefore, type YoungestLeaf } from './stated-times.ts';
import { CheckFailure } from './verdict.ts';
import type { VerifiedToken, VerifyOptions, VerifyTimestamp } from './verify-options.ts';

/** What a demanded anchor came to. `confirmed`: it was verified, or the verifier itself has confirmed it before. */
export type JudgedAnchor = {
  readonly anchorId: string;
  readonly required: boolean;
  readonly outcome:
    | {
        readonly kind: 'confirmed';
        readonly detail: string;
        readonly genTimeMicros: number | null;
        /** SHA-256 of the pinned certificate that a token led to, hex. */
        readonly pinSha256: string | null;
      }
    | { readonly kind: 'undecided'; readonly reason: string };
};

/** The demanded anchors, external ones only. */
export type AnchorJudgement = {
  /** `unpinned`: the policy has anchors that the verifier has not pinned. `file`: only the service's own files. */
  readonly demand: 'external' | 'file' | 'unpinned' | 'none';
  readonly anchors: readonly JudgedAnchor[];
  /** External anchors of which there are artefacts, and which the verifier has not pinned: they vouch for nothing. */
  readonly unpinned: readonly string[];
  /** How many must be confirmed besides each required one. */
  readonly needed: number;
  readonly isReached: boolean;
  /** The bound that the confirmed time-stamps give; null where they are not as many as are needed. */
  readonly notLaterThan: TimeBound | null;
};

/** A time in microseconds since 1970, and the anchors that state it or an earlier one. */
export type TimeBound = { readonly micros: number; readonly anchorIds: readonly string[] };

/** What anchors are judged from. */
export type AnchorCase = {
  /** The exact text of the checkpoint's note. */
  readonly text: string;
  readonly artefacts: readonly BundleAnchor[];
  /** Later time-stamps over the tokens among them. */
  readonly renewals?: readonly BundleRenewal[] | undefined;
  /** Certificates that renewals may lead to where no anchors are pinned. */
  readonly roots?: readonly string[];
  /** The anchors that are demanded, files among them. */
  readonly pinned: readonly PinnedAnchor[];
  readonly anchorsRequired: number;
  /** Where no anchors are pinned: those that the bundle's policy does not name, whose authority may be gone. */
  readonly retired?: readonly BundleAnchor[];
  /** Whether the anchors are only what a bundle calls so: then tokens that lead to one certificate count as one. */
  readonly countsCertificates?: boolean;
  /** The youngest leaf under the checkpoint: a time-stamp from before it is invalid. */
  readonly youngest: YoungestLeaf | undefined;
  readonly verifySignature: VerifySignature;
  readonly verifyTimestamp: VerifyTimestamp | undefined;
  readonly confirmedAnchors: ReadonlySet<string> | undefined;
};

/**
 * Judges the anchors of a bundle against the trust file; `readTree` gives the text of its checkpoint's note, and
 * the youngest leaf under it. Rejects with `CheckFailure` for an artefact that does not hold, and with what it throws.
 */
export async function judgeBundleAnchors(
  bundle: Pick<ProofBundle, 'anchors' | 'renewals' | 'policy'>,
  trust: TrustFile,
  options: Pick<VerifyOptions, 'verifySignature' | 'verifyTimestamp' | 'confirmedAnchors'>,
  readTree: () => Promise<Pick<AnchorCase, 'text' | 'youngest'>>,
): Promise<AnchorJudgement> {
  const pinned = trust.anchors ?? anchorsByRoots(bundle.anchors, trust.tsa_roots);
  const isAsked = bundle.anchors.length > 0 || (bundle.policy?.anchors.length ?? 0) > 0;
  if (pinned.length === 0) return { ...NOTHING_DEMANDED, demand: isAsked ? 'unpinned' : 'none' };
  return judgeAnchors({
    ...(await readTree()),
    artefacts: bundle.anchors,
    renewals: bundle.renewals,
    pinned,
    ...(trust.anchors === undefined ? { roots: [trust.tsa_roots.join('\n')], retired: findRetired(bundle) } : {}),
    anchorsRequired: trust.anchors_required ?? 0,
    countsCertificates: trust.anchors === undefined,
    verifySignature: options.verifySignature,
    verifyTimestamp: options.verifyTimestamp,
    confirmedAnchors: options.confirmedAnchors,
  });
}

function findRetired({ anchors, policy }: Pick<ProofBundle, 'anchors' | 'policy'>): readonly BundleAnchor[] {
  if (policy === null) return [];
  return anchors.filter((one) => !policy.anchors.some(({ id, type }) => id === one.anchor_id && type === one.type));
}

const NOTHING_DEMANDED: AnchorJudgement = {
  demand: 'none',
  anchors: [],
  unpinned: [],
  needed: 1,
  isReached: false,
  notLaterThan: null,
};

/**
 * Judges the artefacts over one checkpoint: each required anchor must be confirmed, and at least `anchorsRequired`
 * anchors, at least one. Throws `CheckFailure` if an artefact exists but is invalid.
 */
export async function judgeAnchors(asked: AnchorCase): Promise<AnchorJudgement> {
  const external = asked.pinned.filter(isExternalAnchor);
  if (external.length === 0) return { ...NOTHING_DEMANDED, demand: asked.pinned.length === 0 ? 'none' : 'file' };
  const needed = Math.max(1, asked.anchorsRequired);
  const digest = sha256(utf8(asked.text));
  // The first of each name counts, and any after it is not looked at.
  const artefacts = new Map(asked.artefacts.toReversed().map((one) => [nameOf(one), one]));
  const anchors: JudgedAnchor[] = [];
  for (const pin of external) {
    const outcome = await judgeOne(asked, pin, artefacts.get(nameOf(pin)), digest);
    anchors.push({ anchorId: pin.anchor_id, required: pin.required, outcome });
  }
  const isConfirmed = ({ outcome }: JudgedAnchor) => outcome.kind === 'confirmed';
  const isReached =
    countConfirmed(anchors, asked.countsCertificates === true) >= needed &&
    anchors.filter(({ required }) => required).every(isConfirmed);
  const notLaterThan = isReached ? boundOf(anchors, needed, asked.countsCertificates === true) : null;
  return {
    demand: 'external',
    anchors,
    unpinned: findUnpinned(asked.artefacts, asked.pinned),
    needed,
    isReached,
    notLaterThan,
  };
}

function findUnpinned(artefacts: readonly BundleAnchor[], pinned: readonly PinnedAnchor[]): readonly string[] {
  const names = new Set(pinned.map(nameOf));
  return artefacts.filter((one) => isExternalAnchor(one) && !names.has(nameOf(one))).map((one) => one.anchor_id);
}

/**
 * The k-th smallest of the confirmed times, k being how many anchors are needed: as many authorities as that would have
 * to be wrong together, and one more authority only ever makes the bound smaller. Anchors that are confirmed and state
 * no time count among those needed. Tokens that lead to one certificate are one authority where only roots are pinned.
 */
function boundOf(anchors: readonly JudgedAnchor[], needed: number, countsCertificates: boolean): TimeBound | null {
  const times = anchors.flatMap(({ anchorId, outcome }) =>
    outcome.kind === 'confirmed' && outcome.genTimeMicros !== null
      ? [{ anchorId, micros: outcome.genTimeMicros, party: countsCertificates ? outcome.pinSha256 : anchorId }]
      : [],
  );
  const inOrder = times.toSorted((a, b) => a.micros - b.micros);
  const ofParties = inOrder.filter(({ party }, n) => inOrder.findIndex((one) => one.party === party) === n);
  const last = ofParties[Math.min(needed, ofParties.length) - 1];
  if (last === undefined) return null;
  const vouching = ofParties.filter(({ micros }) => micros <= last.micros);
  return { micros: last.micros, anchorIds: vouching.map(({ anchorId }) => anchorId) };
}

function nameOf({ anchor_id: id, type }: Pick<BundleAnchor, 'anchor_id' | 'type'>): string {
  return `${type} ${id}`;
}

function countConfirmed(anchors: readonly JudgedAnchor[], countsCertificates: boolean): number {
  const confirmed = anchors.flatMap(({ outcome }) => (outcome.kind === 'confirmed' ? [outcome] : []));
  return countsCertificates ? new Set(confirmed.map(({ pinSha256 }) => pinSha256)).size : confirmed.length;
}

/** A trust file that pins roots only takes a token that leads to one of them; each certificate counts once. */
function anchorsByRoots(anchors: readonly BundleAnchor[], roots: readonly string[]): readonly PinnedAnchor[] {
  if (roots.length === 0) return [];
  return anchors.filter(isTokenAnchor).map(({ anchor_id: id, type }) => ({
    anchor_id: id,
    type,
    required: false,
    certificate_pem: roots.join('\n'),
  }));
}

async function judgeOne(
  asked: AnchorCase,
  pin: PinnedAnchor,
  artefact: BundleAnchor | undefined,
  digest: Uint8Array,
): Promise<JudgedAnchor['outcome']> {
  if (artefact === undefined) return { kind: 'undecided', reason: 'has not confirmed this checkpoint' };
  if (isTokenAnchor(pin)) return judgeToken(asked, pin, artefact, digest);
  if (isEntryAnchor(pin)) return judgeEntry(asked.verifySignature, pin, artefact, digest);
  if (asked.confirmedAnchors?.has(pin.anchor_id) === true)
    return {
      kind: 'confirmed',
      detail: 'read back with its lock by the service',
      genTimeMicros: null,
      pinSha256: null,
    };
  return { kind: 'undecided', reason: 'can be checked only in its bucket, which was not queried' };
}

async function judgeToken(
  asked: AnchorCase,
  pin: PinnedAnchor,
  artefact: BundleAnchor,
  digest: Uint8Array,
): Promise<JudgedAnchor['outcome']> {
  const { verifyTimestamp, renewals = [], youngest } = asked;
  if (verifyTimestamp === undefined) return { kind: 'undecided', reason: 'has a token that this verifier cannot read' };
  if (pin.certificate_pem === null) throw new CheckFailure(`the trust file has no certificate for ${pin.anchor_id}`);
  const token = await verifyToken(verifyTimestamp, pin.anchor_id, artefact, digest, pin.certificate_pem).catch(
    (error: unknown) => {
      if (error instanceof CheckFailure && asked.retired?.includes(artefact) === true) return undefined;
      throw error;
    },
  );
  if (token === undefined) return { kind: 'undecided', reason: 'is not pinned by the trust file' };
  const { genTimeMicros, pinSha256 } = token;
  assertNotBefore(`the token of the anchor ${pin.anchor_id}`, genTimeMicros, youngest);
  const rootsOf = (anchorId: string) => asked.roots ?? rootsOfAnchor(asked.pinned, anchorId);
  const renewed = await followRenewals(pin.anchor_id, token, { text: asked.text, renewals, rootsOf, verifyTimestamp });
  if (renewed?.late !== undefined) return { kind: 'undecided', reason: renewed.late };
  const detail = 'its token leads to the pinned root';
  return {
    kind: 'confirmed',
    detail: renewed === undefined ? detail : `${detail}, ${renewed.detail}`,
    genTimeMicros,
    pinSha256,
  };
}

function rootsOfAnchor(pinned: readonly PinnedAnchor[], anchorId: string): readonly string[] | undefined {
  const pin = pinned.find((one) => one.anchor_id === anchorId && isTokenAnchor(one));
  return pin === undefined || pin.certificate_pem === null ? undefined : [pin.certificate_pem];
}

async function verifyToken(
  verifyTimestamp: VerifyTimestamp,
  anchorId: string,
  { artefact }: BundleAnchor,
  digest: Uint8Array,
  pem: string,
): Promise<VerifiedToken> {
  try {
    return await verifyTimestamp(parseBase64(artefact), digest, [pem]);
  } catch (error) {
    const reason = error instanceof Error && error.name === 'TimestampError' ? error.message : 'it cannot be read';
    throw new CheckFailure(`the token of the anchor ${anchorId} is invalid: ${reason}`);
  }
}

/** An entry of a public log shows that the checkpoint exists and is public, and states no time. */
async function judgeEntry(
  verifySignature: VerifySignature,
  pin: PinnedAnchor,
  artefact: BundleAnchor,
  digest: Uint8Array,
): Promise<JudgedAnchor['outcome']> {
  try {
    const { log, index } = await verifyEntry(
      parseBase64(artefact.artefact),
      digest,
      pin.log_keys ?? '',
      verifySignature,
    );
    const detail = `entry ${index} of the log ${log}, which states no time`;
    return { kind: 'confirmed', detail, genTimeMicros: null, pinSha256: null };
  } catch (error) {
    const reason = error instanceof RekorError ? error.message : 'it cannot be read';
    throw new CheckFailure(`the entry of the anchor ${pin.anchor_id} is invalid: ${reason}`);
  }
}
