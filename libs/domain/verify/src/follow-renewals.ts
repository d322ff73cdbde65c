import type { BundleRenewal } from '@answer-evidence/contracts';
import { sha256, sha512 } from '@answer-evidence/digest';
import { formatHex, formatTimestamp, MICROS_PER_SECOND, parseBase64 } from '@answer-evidence/encoding';
import { beginChain, extendChain, findCovering, rootOfPath } from './archive-chain.ts';
import { CheckFailure } from './verdict.ts';
import type { VerifiedToken, VerifyTimestamp } from './verify-options.ts';

/** What later time-stamps cover a token. */
export type RenewalCase = {
  /** The text of the checkpoint that the token is over. */
  readonly text: string;
  readonly renewals: readonly BundleRenewal[];
  /** The certificates that renewals of an anchor must lead to; undefined for one that is not pinned. */
  readonly rootsOf: (anchorId: string) => readonly string[] | undefined;
  readonly verifyTimestamp: VerifyTimestamp;
};

/** A token, and when the next one covered it; undefined for the last one. */
type Step = { readonly anchorId: string; readonly token: VerifiedToken; readonly coveredAt: number | undefined };

/** What the renewals of a token came to: a sentence for readers, or why it cannot be decided. */
type Renewed = { readonly detail: string; readonly late: string | undefined };

/**
 * Judges a token at the time of the token after it, as far as renewals lead (docs/formats/trust.md, "Renewals").
 * Undefined where none covers it. Rejects with `CheckFailure` for a renewal that does not hold, or a certificate that
 * was revoked before it mattered no more.
 */
export async function followRenewals(
  anchorId: string,
  token: VerifiedToken,
  asked: RenewalCase,
): Promise<Renewed | undefined> {
  const steps: Step[] = [];
  const lists: Uint8Array[] = [];
  let last = { anchorId, token };
  let chain = beginChain(asked.text, token.token);
  let late: string | undefined;
  for (let from = 0; late === undefined;) {
    const found = findCovering(asked.renewals, from, chain);
    const roots = found && asked.rootsOf(found.renewal.anchor_id);
    if (found === undefined || roots === undefined) break;
    const { renewal, root } = found;
    const next = await verifyRenewal(renewal, root, roots, asked.verifyTimestamp);
    if (next.genTimeMicros < last.token.genTimeMicros)
      throw new CheckFailure(`the renewal by ${renewal.anchor_id} is older than the token that it covers`);
    lists.push(...readLists(renewal, root));
    late = describeLate(last, next, renewal.anchor_id);
    steps.push({ ...last, coveredAt: next.genTimeMicros });
    chain = extendChain(chain, found, next.token);
    last = { anchorId: renewal.anchor_id, token: next };
    from = found.index + 1;
  }
  if (steps.length === 0) return undefined;
  for (const step of [...steps, { ...last, coveredAt: undefined }]) await assertNotRevoked(step, lists);
  const { genTimeMicros, endsAtMicros } = last.token;
  const ends = formatTimestamp(endsAtMicros).slice(0, 10);
  return { detail: `renewed by ${last.anchorId} at ${formatTimestamp(genTimeMicros)}, good until ${ends}`, late };
}

async function verifyRenewal(
  { anchor_id: id, artefact }: BundleRenewal,
  root: Uint8Array,
  roots: readonly string[],
  verifyTimestamp: VerifyTimestamp,
): Promise<VerifiedToken> {
  try {
    return await verifyTimestamp(parseBase64(artefact), root, roots);
  } catch (error) {
    const reason = error instanceof Error && error.name === 'TimestampError' ? error.message : 'it cannot be read';
    throw new CheckFailure(`the renewal by ${id} is invalid: ${reason}`);
  }
}

/** The lists that were kept with a renewal. It must cover each of them, as it covers tokens. */
function readLists(
  { anchor_id: id, hash, revocation_lists: kept }: BundleRenewal,
  root: Uint8Array,
): readonly Uint8Array[] {
  const digest = hash === undefined ? sha256 : sha512;
  return kept.map(({ list, path }) => {
    const der = readBase64(list, id);
    const isCovered = path[0]?.includes(formatHex(digest(der))) === true;
    if (!isCovered || formatHex(rootOfPath(path)) !== formatHex(root))
      throw new CheckFailure(`the renewal by ${id} does not cover a revocation list that is kept with it`);
    return der;
  });
}

function readBase64(text: string, id: string): Uint8Array {
  try {
    return parseBase64(text);
  } catch {
    throw new CheckFailure(`a revocation list of the renewal by ${id} is not in base64`);
  }
}

/** A certificate is valid to the end of the second that it names. */
function describeLate(
  { anchorId, token }: { readonly anchorId: string; readonly token: VerifiedToken },
  next: VerifiedToken,
  by: string,
): string | undefined {
  if (next.genTimeMicros < token.endsAtMicros + MICROS_PER_SECOND) return undefined;
  const [at, end] = [formatTimestamp(next.genTimeMicros), formatTimestamp(token.endsAtMicros)];
  return `was renewed too late: ${by} covered the token of ${anchorId} at ${at}, after a certificate ended at ${end}`;
}

async function assertNotRevoked({ anchorId, token, coveredAt }: Step, lists: readonly Uint8Array[]): Promise<void> {
  for (const { revoked } of await token.readRevocations(lists))
    for (const { atMicros, isHarmless } of revoked) {
      const at = formatTimestamp(atMicros);
      if (atMicros <= token.genTimeMicros)
        throw new CheckFailure(`a certificate of ${anchorId} was revoked at ${at}, before its token was made`);
      if (!isHarmless && (coveredAt === undefined || coveredAt >= atMicros))
        throw new CheckFailure(`a certificate of ${anchorId} was revoked at ${at}, and no renewal is from before then`);
    }
}
