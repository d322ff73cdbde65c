import type { Command } from 'commander';
import { verifyEd25519 } from '@answer-evidence/client';
import { CHECKS } from '@answer-evidence/contracts';
import { JsonError, parseJson } from '@answer-evidence/encoding';
import { verifyTimestampOver } from '@answer-evidence/rfc3161';
import { BundleFormatError, verifyBundle } from '@answer-evidence/verify';
import type { Context } from '../context.ts';
import { addDemandOptions, assertKnownDemands, type DemandOptions } from '../demands.ts';
import { EXIT } from '../exit-codes.ts';
import { readInput } from '../files.ts';
import { readReceipt } from '../receipt-files.ts';
import { openLog, verifyWithLog } from '../tlog-source.ts';
import { readTrustFile } from '../trust-files.ts';
import { viewVerification } from '../verification-view.ts';

/** `verify`: a bundle against pins, without any network. */
export function addVerifyCommand(program: Command, context: Context): void {
  const command = program
    .command('verify')
    .description('check a proof bundle offline')
    .argument('<bundle>', 'proof bundle file, or -')
    .requiredOption('--trust <file>', 'trust file with your trusted keys; see `trust export`')
    .option('--receipt <file>', 'the receipt (.tlog-proof) that you saved when the record was created')
    .option('--tlog <url or folder>', 'the log as tlog-tiles, to check that no later event was left out');
  addDemandOptions(command).action(async (path: string, options: Options) => {
    const { io } = context;
    assertKnownDemands(options, CHECKS);
    const trust = await readTrustFile(io, options.trust);
    const receipt = options.receipt === undefined ? {} : { receipt: await readReceipt(io, options.receipt) };
    const bytes = await readInput(io, path);
    try {
      const bundle = parseJson(bytes);
      const log = options.tlog === undefined ? undefined : await openLog(context, options.tlog, bundle);
      const material = { verifyEd25519, verifyTimestamp: verifyTimestampOver, ...receipt };
      const { verification, assertRead } = await verifyWithLog(log, (opened) =>
        verifyBundle(bundle, trust, { ...material, ...opened }),
      );
      const { pins, ...rest } = verification;
      context.show({ json: verification, blocks: () => viewVerification(rest, pins, options.summary) });
      context.settleDemanded(verification.checks, options);
      if (context.exitCode() === EXIT.ok) assertRead();
    } catch (error) {
      if (!(error instanceof JsonError) && !(error instanceof BundleFormatError)) throw error;
      // Evidence that cannot be read is evidence that failed, not a command that was given wrongly.
      context.note(`FAIL  ${path} is not a proof bundle: ${error.message}`);
      context.settle([{ outcome: 'FAIL' }]);
    }
  });
}

type Options = DemandOptions & { readonly trust: string; readonly receipt?: string; readonly tlog?: string };
