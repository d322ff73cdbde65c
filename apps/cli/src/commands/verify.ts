import type { Command } from 'commander';
import { verifyEd25519 } from '@answer-evidence/client';
import { CHECKS } from '@answer-evidence/contracts';
import { JsonError, parseJson } from '@answer-evidence/encoding';
import { verifyTimestampOver } from '@answer-evidence/rfc3161';
import { BundleFormatError, type BundleVerification, verifyBundle } from '@answer-evidence/verify';
import type { Context } from '../context.ts';
import { addDemandOptions, assertKnownDemands, type DemandOptions } from '../demands.ts';
import { sortEvidence } from '../evidence-files.ts';
import { EXIT } from '../exit-codes.ts';
import { asFields } from '../output/blocks.ts';
import { readReceipt } from '../receipt-files.ts';
import { openLog, verifyWithLog } from '../tlog-source.ts';
import { readTrustFile } from '../trust-files.ts';
import { UsageError } from '../usage-error.ts';
import { viewVerification } from '../verification-view.ts';

/**
 * `verify`: bundles against pins, without any network. `isDefault`: it is what the program does with files that stand
 * behind no command.
 */
export function addVerifyCommand(program: Command, context: Context, isDefault = false): void {
  const command = program
    .command('verify', { isDefault })
    .description('check proof bundles and evidence packs offline')
    .argument('<file...>', 'bundle or evidence pack, or -; also a receipt, and a folder with the tiles of the log')
    .requiredOption('--trust <file>', 'trust file with your trusted keys; see `trust export`')
    .option('--receipt <file>', 'the receipt (.tlog-proof) that you saved when the record was created')
    .option('--tlog <url or folder>', 'the log as tlog-tiles, to check that no later event was left out');
  addDemandOptions(command).action(async (paths: readonly string[], options: Options) => {
    const { io } = context;
    assertKnownDemands(options, CHECKS);
    const trust = await readTrustFile(io, options.trust);
    const { bundles, receipts, logs } = await sortEvidence(io, paths);
    const receiptPath = atMostOne('receipt', '--receipt', receipts, options.receipt);
    const tlog = atMostOne('log', '--tlog', logs, options.tlog);
    if (bundles.length === 0) throw new UsageError('none of the files is a proof bundle or an evidence pack');
    if (bundles.length > 1 && receiptPath !== undefined)
      throw new UsageError('a receipt is of one record; verify its bundle alone');
    const receipt = receiptPath === undefined ? {} : { receipt: await readReceipt(io, receiptPath) };
    const verified: { readonly file: string; readonly verification: BundleVerification }[] = [];
    const asserts: (() => void)[] = [];
    for (const { name, bytes } of bundles) {
      try {
        const bundle = parseJson(bytes);
        const log = tlog === undefined ? undefined : await openLog(context, tlog, bundle);
        const material = { verifyEd25519, verifyTimestamp: verifyTimestampOver, ...receipt };
        const { verification, assertRead } = await verifyWithLog(log, (opened) =>
          verifyBundle(bundle, trust, { ...material, ...opened }),
        );
        verified.push({ file: name, verification });
        asserts.push(assertRead);
      } catch (error) {
        if (!(error instanceof JsonError) && !(error instanceof BundleFormatError)) throw error;
        // Evidence that cannot be read is evidence that failed, not a command that was given wrongly.
        context.note(`FAIL  ${name} is not a proof bundle: ${error.message}`);
        context.settle([{ outcome: 'FAIL' }]);
      }
    }
    const [only] = verified;
    if (only === undefined) return;
    context.show({
      // The form for one bundle is as it always was.
      json:
        bundles.length === 1
          ? only.verification
          : verified.map(({ file, verification }) => ({ file, ...verification })),
      blocks: () =>
        verified.flatMap(({ file, verification: { pins, ...rest } }) => [
          ...(bundles.length === 1 ? [] : [asFields([['file', file]])]),
          ...viewVerification(rest, pins, options.summary),
        ]),
    });
    for (const { verification } of verified) context.settleDemanded(verification.checks, options);
    if (context.exitCode() === EXIT.ok) for (const assertRead of asserts) assertRead();
  });
}

/** The one path of its kind, whether an option or a file says it. */
function atMostOne(
  kind: string,
  option: string,
  given: readonly string[],
  named: string | undefined,
): string | undefined {
  const all = [...given, ...(named === undefined ? [] : [named])];
  if (all.length > 1) throw new UsageError(`there is more than one ${kind}: give one, as a file or by ${option}`);
  return all[0];
}

type Options = DemandOptions & { readonly trust: string; readonly receipt?: string; readonly tlog?: string };
