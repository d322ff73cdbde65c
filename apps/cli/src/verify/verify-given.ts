import { verifySignature } from '@answer-evidence/client';
import { verifyTimestampOver } from '@answer-evidence/rfc3161';
import { NOBODY, openGivenTrees } from '@answer-evidence/verify';
import { type GivenLog, readGivenLog } from './given-log.ts';
import { listShownFiles } from './shown-files.ts';
import type { EvidenceFiles } from './sort-evidence.ts';
import type { Verified } from './verified.ts';
import { type Means, verifyCheckpoints, verifyReceipts, verifyRecords, verifyRuns } from './verify-evidence.ts';

/**
 * Verifies whatever was given, each file by what it is and beside the others. `assertRead` throws what kept the log
 * from being read, where it was asked for.
 */
export async function verifyGiven(
  files: EvidenceFiles,
  means: Pick<Means, 'context' | 'trust' | 'tlog' | 'isSummary' | 'language'>,
): Promise<{ readonly verified: readonly Verified[]; readonly assertRead: () => void }> {
  const { context, trust, tlog, isSummary, language } = means;
  const opened = await openGivenLog(files, () =>
    tlog === undefined ? undefined : readGivenLog(context, tlog, trust, isSummary, language),
  );
  const kept = files.responses.map(({ response }) => response);
  const shown = listShownFiles(files);
  // One file alone has nothing beside it.
  const given = shown.length > 1 ? openGivenTrees(shown, trust ?? NOBODY, MEANS) : undefined;
  const verified = await verifyAll(files, { ...means, log: opened.log, given, kept });
  return {
    verified,
    assertRead() {
      for (const one of verified) if (one.kind !== 'fault') one.assertRead?.();
      opened.assertRead?.();
    },
  };
}

/** The log by itself is verified where no bundle says which of its trees is meant. */
async function openGivenLog(
  { bundles, runs, packs }: EvidenceFiles,
  read: () => Promise<GivenLog> | undefined,
): Promise<{ readonly log: GivenLog | undefined; readonly assertRead?: () => void }> {
  if (packs.length === 0 && bundles.length + runs.length > 0) return { log: undefined };
  try {
    return { log: await read() };
  } catch (error) {
    // It says nothing of the evidence beside it, which is shown before.
    return {
      log: undefined,
      assertRead() {
        throw error;
      },
    };
  }
}

async function verifyAll(files: EvidenceFiles, means: Means): Promise<readonly Verified[]> {
  const records = await verifyRecords(files, means);
  const receipts = [
    ...files.receipts.filter(({ name }) => !records.used.has(name)),
    ...files.responses.map(({ name, response: { receipt, entry } }) => ({ name, receipt, entry })),
  ];
  const lone = receipts.length + records.used.size > 0 ? [] : files.entries;
  return [
    ...records.verified,
    ...(await verifyRuns(files.runs, means)),
    ...(await verifyReceipts(receipts, files.entries, means)),
    ...(await verifyCheckpoints(files, means)),
    ...(means.log === undefined ? [] : [means.log.verified]),
    ...lone.map(({ name }): Verified => ({ file: name, kind: 'fault', fault: NO_RECEIPT })),
    ...files.others.map(({ name, reason }): Verified => ({
      file: name,
      kind: 'fault',
      fault: `is not evidence: ${reason}`,
    })),
  ];
}

/** The signatures and time-stamps of all files. */
const MEANS = { verifySignature, verifyTimestamp: verifyTimestampOver };

const NO_RECEIPT = 'is an entry of a log, of which nothing shows that a log has it: give its receipt as well';
