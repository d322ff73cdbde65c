import { verifySignature } from '@answer-evidence/client';
import type { JsonValue, TrustFile } from '@answer-evidence/contracts';
import { parseJson, parseJsonText, readOr } from '@answer-evidence/encoding';
import { NoteError, parseTlogProof } from '@answer-evidence/note';
import { verifyTimestampOver } from '@answer-evidence/rfc3161';
import {
  BundleFormatError,
  type BundleVerification,
  type GivenTrees,
  isReceiptOfBundle,
  NOBODY,
  openGivenTrees,
  openPublishedLog,
  type Pack,
  type PackCheckResult,
  type ReadTlog,
  type ShownFile,
  skipBySets,
  skipByTrust,
  verifyBundle,
  verifyGivenCheckpoint,
  verifyGivenReceipt,
  verifyLog,
  verifyPack,
  verifyReconciliation,
} from '@answer-evidence/verify';
import { EvidenceFormatError } from '../evidence-format-error.ts';
import { readJson } from '../read-input.ts';
import { withLog } from '../with-log.ts';
import type { ShownCheck } from './check-table.ts';
import type { Given } from './given-files.ts';

/** What whatever was given is verified with. */
export type Means = {
  readonly trust: TrustFile | undefined;
  readonly log: ReadTlog | undefined;
  /** The trees of all files, where there are several. */
  readonly given?: GivenTrees;
};

/** The checks of something that is no bundle. */
export type Judged = { readonly title: string; readonly checks: readonly ShownCheck[] };

/** Verifies a bundle. Without a trust file, what needs one is SKIP. Throws `EvidenceFormatError`. */
export async function verifyShown(
  bundle: string | Uint8Array,
  { trust, log, given }: Means,
  receipt: string | undefined,
): Promise<BundleVerification> {
  const shown = readJson('bundle', bundle);
  const kept = receipt === undefined ? {} : { receipt };
  const others = given === undefined ? {} : { given };
  const material = { verifySignature, verifyTimestamp: verifyTimestampOver, ...kept, ...others };
  try {
    const verification = await withLog(shown, log, (opened) =>
      verifyBundle(shown, trust ?? NOBODY, { ...material, ...opened }),
    );
    return trust === undefined ? { ...verification, checks: [...skipByTrust(verification.checks)] } : verification;
  } catch (error) {
    if (!(error instanceof BundleFormatError)) throw error;
    throw new EvidenceFormatError('bundle', error.message, { cause: error });
  }
}

/** The trees that all files show, those in packs among them; undefined where one file stands alone. */
export function openTrees({ evidence }: Given, trust: TrustFile | undefined): GivenTrees | undefined {
  // The one receipt beside one bundle is that of its record, which has a check of its own.
  const countOf = (kind: string) => evidence.filter(({ is }) => is.kind === kind).length;
  const counts = { bundles: countOf('bundle'), packs: countOf('pack'), receipts: countOf('receipt') };
  const isPair = isReceiptOfBundle(counts);
  const shown = evidence.flatMap(({ is, bytes }): readonly ShownFile[] => {
    switch (is.kind) {
      case 'bundle':
      case 'run':
        return readShown(() => parseJson(bytes));
      case 'pack':
        return is.pack.bundles.flatMap((one) => ('text' in one ? readShown(() => parseJsonText(one.text)) : []));
      case 'receipt':
        return isPair ? [] : [{ receipt: is.receipt }];
      case 'response':
        return [{ receipt: is.response.receipt }];
      case 'checkpoint':
        return [{ checkpoint: is.checkpoint }];
      case 'entry':
      case 'trust':
      case 'other':
        return [];
    }
  });
  if (shown.length < 2) return undefined;
  return openGivenTrees(shown, trust ?? NOBODY, { verifySignature, verifyTimestamp: verifyTimestampOver });
}

/** What is not JSON shows nothing. */
function readShown(read: () => JsonValue): readonly ShownFile[] {
  return readOr(() => [{ json: read() }], []);
}

/** The checks of the checkpoints that were given. */
export async function judgeCheckpoints({ evidence }: Given, { trust }: Means): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const { name, is } of evidence)
    if (is.kind === 'checkpoint')
      judged.push({ title: name, checks: await verifyGivenCheckpoint(is.checkpoint, trust, { verifySignature }) });
  return judged;
}

/** The entries of a log that is verified by its own checkpoint, and the checks of it. */
export async function judgeLog({ trust, log }: Means): Promise<
  | {
      readonly entries: readonly (string | undefined)[];
      readonly checks: readonly ShownCheck[];
    }
  | undefined
> {
  if (log === undefined) return undefined;
  try {
    const opened = await openPublishedLog(log);
    if (opened === undefined) return undefined;
    const { checks } = await verifyLog(opened, trust, verifySignature);
    const isSound = checks.every(({ outcome }) => outcome !== 'FAIL');
    return { entries: isSound ? ((await opened.view.entriesBelow?.(opened.checkpoint.size)) ?? []) : [], checks };
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new Error(`the checkpoint of the log cannot be read: ${error.reason}`, { cause: error });
  }
}

/** The checks of a pack as a whole; `file` is left out where the page is the pack itself. */
export async function judgePack(
  pack: Pack,
  { evidence }: Given,
  means: Means,
  file?: Uint8Array,
): Promise<readonly PackCheckResult[]> {
  const entries = evidence.flatMap(({ is }) => (is.kind === 'response' ? [is.response] : []));
  const log = await judgeLog(means);
  return verifyPack(pack, {
    verifySignature,
    entries,
    ...(file === undefined ? {} : { file }),
    ...(log === undefined ? {} : { log: { entries: log.entries } }),
    ...(means.trust === undefined ? {} : { trust: means.trust }),
  });
}

/** Verifies the receipts that belong to no bundle, each with its entry where that is at hand. */
export async function judgeReceipts(
  { evidence }: Given,
  means: Means,
  used: ReadonlySet<string>,
): Promise<readonly Judged[]> {
  const entries = evidence.flatMap(({ is }) => (is.kind === 'entry' ? [is.entry] : []));
  const judged: Judged[] = [];
  for (const { name, is } of evidence) {
    if (is.kind === 'response') {
      const { receipt, entry } = is.response;
      judged.push({ title: name, checks: await verifyGivenReceipt(receipt, entry, means.trust, verifySignature) });
    }
    if (is.kind !== 'receipt' || used.has(name)) continue;
    const ofLog = (await judgeLog(means))?.entries[indexOf(is.receipt)];
    const candidates = [...entries, ...(ofLog === undefined ? [] : [ofLog])];
    let checks = await verifyGivenReceipt(is.receipt, candidates[0], means.trust, verifySignature);
    for (const entry of candidates.slice(1))
      if (checks.some(({ outcome }) => outcome === 'FAIL'))
        checks = await verifyGivenReceipt(is.receipt, entry, means.trust, verifySignature);
    judged.push({ title: name, checks });
  }
  return judged;
}

function indexOf(receipt: string): number {
  try {
    return parseTlogProof(receipt).index;
  } catch {
    return -1;
  }
}

/** Verifies the proof of a reconciliation, as far as that goes without the lists that it is about. */
export async function judgeRun(proof: Uint8Array, { trust, log, given }: Means): Promise<readonly ShownCheck[]> {
  const shown = parseJson(proof);
  const { checks } = await withLog(shown, log, (opened) =>
    verifyReconciliation(shown, { references: [], records: [], earlier: [] }, trust ?? NOBODY, {
      verifySignature,
      verifyTimestamp: verifyTimestampOver,
      ...(given === undefined ? {} : { given }),
      ...opened,
    }),
  );
  const decided = skipBySets(checks);
  return trust === undefined ? skipByTrust(decided) : decided;
}
