import { verifySignature } from '@answer-evidence/client';
import type { CheckResult, JsonValue, TrustFile } from '@answer-evidence/contracts';
import { JsonError, parseJson, utf8 } from '@answer-evidence/encoding';
import { parseTlogProof } from '@answer-evidence/note';
import { verifyTimestampOver } from '@answer-evidence/rfc3161';
import {
  BundleFormatError,
  type BundleVerification,
  chooseReceipts,
  type ChosenReceipts,
  describeWeakerPolicies,
  type GivenTrees,
  isReceiptOfBundle,
  type KeptEntry,
  type LogView,
  NOBODY,
  type PackBundle,
  readHolds,
  type ReconciliationVerification,
  skipBySets,
  skipByTrust,
  tellHolds,
  verifyBundle,
  verifyGivenCheckpoint,
  verifyGivenReceipt,
  verifyPack,
  verifyReconciliation,
  type WordLanguage,
} from '@answer-evidence/verify';
import type { Context } from '../context.ts';
import { asChecks, asFields, type Block } from '../output/blocks.ts';
import { openLog, verifyWithLog } from '../tlog-source.ts';
import { viewVerification } from '../verification-view.ts';
import type { GivenLog } from './given-log.ts';
import type { EvidenceFiles } from './sort-evidence.ts';
import type { Verified } from './verified.ts';

/** What evidence is verified with. */
export type Means = {
  readonly context: Context;
  readonly trust: TrustFile | undefined;
  /** Where the log is, if it was given. */
  readonly tlog: string | undefined;
  readonly log: GivenLog | undefined;
  /** The trees of all files, where there are several. */
  readonly given: GivenTrees | undefined;
  /** Entries with their cores, which may be about what the evidence shows. */
  readonly kept: readonly KeptEntry[];
  readonly isSummary: boolean | undefined;
  /** Of the words for people. */
  readonly language?: WordLanguage;
};

/** Verifies bundles and packs, with the bundles in these. `used` names the receipts that belong to one of them. */
export async function verifyRecords(
  files: EvidenceFiles,
  means: Means,
): Promise<{ readonly verified: readonly Verified[]; readonly used: ReadonlySet<string> }> {
  const verified: Verified[] = [];
  const { bundles, packs } = files;
  const counts = { bundles: bundles.length, packs: packs.length, receipts: files.receipts.length };
  const receipts = chooseReceipts(files.receipts, isReceiptOfBundle(counts));
  for (const { name, bytes } of files.bundles) verified.push(await verifyOne(name, bytes, receipts, means));
  for (const { name, bytes, pack } of files.packs) {
    const more = means.trust === undefined ? {} : { trust: means.trust };
    const log = means.log === undefined ? {} : { log: { entries: means.log.entries } };
    const checks = await verifyPack(pack, { verifySignature, file: bytes, entries: means.kept, ...log, ...more });
    const stated = { made_at: pack.manifest?.madeAt ?? null, origin: pack.manifest?.origin ?? null };
    verified.push({
      file: name,
      kind: 'pack',
      checks,
      json: { ...stated, bundles: pack.bundles.length, checks },
      blocks: () => [
        asFields([
          ['made at', stated.made_at === null ? null : `${stated.made_at}, the maker's word`],
          ['log', stated.origin],
          ['bundles', pack.bundles.length],
        ]),
        asChecks(checks, means.isSummary, means.language),
      ],
    });
    for (const bundle of pack.bundles) verified.push(await verifyPart(name, bundle, receipts, means));
  }
  return { verified, used: receipts.used };
}

async function verifyPart(pack: string, bundle: PackBundle, receipts: ChosenReceipts, means: Means): Promise<Verified> {
  const file = `${pack} ${bundle.name}`;
  if ('fault' in bundle) return { file, kind: 'fault', fault: `is not a proof bundle: ${bundle.fault}` };
  return verifyOne(file, utf8(bundle.text), receipts, means);
}

async function verifyOne(file: string, bytes: Uint8Array, receipts: ChosenReceipts, means: Means): Promise<Verified> {
  const { context, trust, tlog, given, isSummary, language } = means;
  try {
    const bundle = parseJson(bytes);
    const receipt = receipts.findFor(bundle);
    const log = tlog === undefined ? undefined : await openLog(context, tlog, bundle);
    const material = {
      verifySignature,
      verifyTimestamp: verifyTimestampOver,
      ...(receipt === undefined ? {} : { receipt }),
      ...(given === undefined ? {} : { given }),
    };
    const { verification, assertRead } = await verifyWithLog(log, (opened) =>
      verifyBundle(bundle, trust ?? NOBODY, { ...material, ...opened }),
    );
    const checks = trust === undefined ? skipByTrust(verification.checks) : verification.checks;
    const whole: BundleVerification = { ...verification, checks: [...checks] };
    const { pins, ...rest } = whole;
    const notices = await findNotices(bundle, whole, log?.view, means);
    const held = tellHolds(readHolds(bundle), language ?? 'en', { text: asIs, time: asIs });
    const blocks = () => {
      const [facts, ...judged] = viewVerification(rest, pins, isSummary, language);
      const holds = asFields(held.map((line) => ['on hold', line] as const));
      return [...(facts === undefined ? [] : [facts]), holds, ...judged, ...notices.map(asNotice)];
    };
    const json = { ...whole, ...(notices.length === 0 ? {} : { notices }) };
    return { file, kind: 'bundle', checks, json, blocks, assertRead };
  } catch (error) {
    return faultOf(file, 'a proof bundle', error);
  }
}

/** The terminal takes out what acts on it. */
const asIs = (text: string): string => text;

/** Where the log's policy demands less than the trust file, or may do so. */
async function findNotices(
  bundle: JsonValue,
  { checkpoint }: BundleVerification,
  view: LogView | undefined,
  { trust, kept }: Means,
): Promise<readonly string[]> {
  if (trust === undefined) return [];
  const entries = await readEntries(view, checkpoint?.tree_size ?? 0);
  return describeWeakerPolicies({ shown: (bundle as { readonly policy?: unknown }).policy, kept, entries }, trust);
}

async function readEntries(view: LogView | undefined, size: number): Promise<readonly (string | undefined)[]> {
  try {
    return (await view?.entriesBelow?.(size)) ?? [];
  } catch {
    // The checks that read the log say what is wrong with it.
    return [];
  }
}

function asNotice(text: string): Block {
  return { kind: 'line', text: `NOTE  ${text}.` };
}

// Evidence that cannot be read is evidence that failed, not a command that was given wrongly.
function faultOf(file: string, what: string, error: unknown): Verified {
  if (!(error instanceof JsonError) && !(error instanceof BundleFormatError)) throw error;
  return { file, kind: 'fault', fault: `is not ${what}: ${error.message}` };
}

/** Verifies proofs of reconciliations, as far as that goes without the lists that they are about. */
export async function verifyRuns(
  runs: EvidenceFiles['runs'],
  { context, trust, tlog, given, isSummary, language }: Means,
): Promise<readonly Verified[]> {
  const verified: Verified[] = [];
  for (const { name, bytes } of runs) {
    try {
      const proof = parseJson(bytes);
      const log = tlog === undefined ? undefined : await openLog(context, tlog, proof);
      const more = given === undefined ? {} : { given };
      const material = { verifySignature, verifyTimestamp: verifyTimestampOver, ...more };
      const { verification, assertRead } = await verifyWithLog(log, (opened) =>
        verifyReconciliation(proof, { references: [], records: [], earlier: [] }, trust ?? NOBODY, {
          ...material,
          ...opened,
        }),
      );
      const decided = skipBySets(verification.checks);
      const checks = trust === undefined ? skipByTrust(decided) : decided;
      const whole: ReconciliationVerification = { ...verification, counts: null, checks: [...checks] };
      const { run_id: id, checkpoint, pins } = whole;
      verified.push({
        file: name,
        kind: 'run',
        checks,
        json: whole,
        blocks: () => [
          asFields([
            ['run', id],
            ['log', checkpoint?.origin ?? null],
            ...pins.map((pin) => ['pin used', pin] as const),
          ]),
          asChecks(checks, isSummary, language),
        ],
        assertRead,
      });
    } catch (error) {
      verified.push(faultOf(name, 'the proof of a run', error));
    }
  }
  return verified;
}

/**
 * Verifies receipts that belong to no bundle, each with its entry: one that was given, one of a response, or the leaf
 * of the log.
 */
export async function verifyReceipts(
  receipts: readonly { readonly name: string; readonly receipt: string; readonly entry?: string }[],
  entries: EvidenceFiles['entries'],
  { trust, log, isSummary, language }: Means,
): Promise<readonly Verified[]> {
  const verified: Verified[] = [];
  for (const { name, receipt, entry: own } of receipts) {
    const candidates = own === undefined ? entries.map(({ entry }) => entry) : [own];
    const ofLog = own === undefined ? log?.entries[indexOf(receipt)] : undefined;
    if (ofLog !== undefined) candidates.push(ofLog);
    // One of them is enough. Of those that do not fit, the last one says why not.
    let checks: readonly CheckResult[] = await verifyGivenReceipt(receipt, candidates[0], trust, verifySignature);
    for (const entry of candidates.slice(1)) {
      if (!checks.some(({ outcome }) => outcome === 'FAIL')) break;
      checks = await verifyGivenReceipt(receipt, entry, trust, verifySignature);
    }
    const shown = checks;
    verified.push({
      file: name,
      kind: 'receipt',
      checks: shown,
      json: { checks: shown },
      blocks: () => [asChecks(shown, isSummary, language)],
    });
  }
  return verified;
}

function indexOf(receipt: string): number {
  try {
    return parseTlogProof(receipt).index;
  } catch {
    return -1;
  }
}

/** Verifies checkpoints that were kept. */
export async function verifyCheckpoints(
  { checkpoints }: EvidenceFiles,
  { trust, isSummary, language }: Means,
): Promise<readonly Verified[]> {
  const verified: Verified[] = [];
  for (const { name, checkpoint } of checkpoints) {
    const checks = await verifyGivenCheckpoint(checkpoint, trust, { verifySignature });
    verified.push({
      file: name,
      kind: 'checkpoint',
      checks,
      json: { checks },
      blocks: () => [asChecks(checks, isSummary, language)],
    });
  }
  return verified;
}
