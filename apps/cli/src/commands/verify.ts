import type { Command } from 'commander';
import { CHECKS, RECONCILIATION_CHECKS } from '@answer-evidence/contracts';
import { LOG_CHECKS, PACK_CHECKS } from '@answer-evidence/verify';
import type { Context } from '../context.ts';
import {
  addDemandOptions,
  addLanguageOption,
  assertKnownDemands,
  type DemandOptions,
  type LanguageOption,
} from '../demands.ts';
import { EXIT } from '../exit-codes.ts';
import { asFields } from '../output/blocks.ts';
import { readReceipt } from '../receipt-files.ts';
import { readTrustFile } from '../trust-files.ts';
import { UsageError } from '../usage-error.ts';
import { type EvidenceFiles, sortEvidence } from '../verify/sort-evidence.ts';
import type { Verified } from '../verify/verified.ts';
import { verifyGiven } from '../verify/verify-given.ts';

const ALL_CHECKS: readonly string[] = [
  ...new Set<string>([...CHECKS, ...RECONCILIATION_CHECKS, ...PACK_CHECKS, ...LOG_CHECKS]),
];

/**
 * `verify`: whatever evidence was given, against pins, without any network. `isDefault`: it is what the program does
 * with files that stand behind no command.
 */
export function addVerifyCommand(program: Command, context: Context, isDefault = false): void {
  const command = program
    .command('verify', { isDefault })
    .description(
      'check evidence offline: bundles, packs, receipts, checkpoints, proofs of reconciliations and copies of a log',
    )
    .argument('<file...>', 'files of any of these kinds, or -; a log is a folder with its tiles, or a URL')
    .option('--trust <file>', 'trust file with your trusted keys (`trust export`); without it no signature is verified')
    .option('--receipt <file>', 'the receipt (.tlog-proof) that you saved when the record was created')
    .option('--tlog <url or folder>', 'the log as tlog-tiles, to check that no later event was left out');
  addLanguageOption(addDemandOptions(command)).action(async (paths: readonly string[], options: Options) => {
    const { io } = context;
    assertKnownDemands(options, ALL_CHECKS);
    const trust = options.trust === undefined ? undefined : await readTrustFile(io, options.trust);
    const files = await addReceipt(context, await sortEvidence(io, paths), options.receipt);
    const tlog = atMostOne([...files.logs, ...(options.tlog === undefined ? [] : [options.tlog])]);
    const { verified, assertRead } = await verifyGiven(files, {
      context,
      trust,
      tlog,
      isSummary: options.summary,
      language: options.language,
    });
    const isOne = verified.length === 1 && files.packs.length === 0;
    showAll(context, verified, isOne);
    if (trust === undefined)
      context.note('No trust file was given: who signed this was not verified. Name yours by --trust.');
    for (const one of verified) if (one.kind !== 'fault') context.settleDemanded(one.checks, options);
    if (context.exitCode() !== EXIT.ok) return;
    assertRead();
  });
}

function showAll(context: Context, verified: readonly Verified[], isOne: boolean): void {
  for (const one of verified) {
    if (one.kind !== 'fault') continue;
    context.note(`FAIL  ${one.file} ${one.fault}`);
    context.settle([{ outcome: 'FAIL' }]);
  }
  const [only] = verified;
  if (only === undefined || (isOne && only.kind === 'fault')) return;
  context.show({
    // The form for one file is as it always was.
    json:
      isOne && only.kind !== 'fault'
        ? only.json
        : verified.map((one) => ({ file: one.file, ...(one.kind === 'fault' ? { fault: one.fault } : one.json) })),
    blocks: () =>
      verified.flatMap((one) =>
        one.kind === 'fault' ? [] : [...(isOne ? [] : [asFields([['file', one.file]])]), ...one.blocks()],
      ),
  });
}

async function addReceipt(context: Context, files: EvidenceFiles, path: string | undefined): Promise<EvidenceFiles> {
  if (path === undefined) return files;
  const receipt = { name: path, receipt: await readReceipt(context.io, path) };
  return { ...files, receipts: [...files.receipts, receipt] };
}

function atMostOne(logs: readonly string[]): string | undefined {
  if (logs.length > 1) throw new UsageError('there is more than one log: give one, as a file or by --tlog');
  return logs[0];
}

type Options = DemandOptions &
  LanguageOption & { readonly trust?: string; readonly receipt?: string; readonly tlog?: string };
