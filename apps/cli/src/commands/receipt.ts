import type { Command } from 'commander';
import { verifySignature } from '@answer-evidence/client';
import { NoteError, parseVkey } from '@answer-evidence/note';
import { verifyReceipt } from '@answer-evidence/verify';
import type { Context } from '../context.ts';
import { collect } from '../options.ts';
import { asChecks, asFields } from '../output/blocks.ts';
import { readEntry, readReceipt } from '../receipt-files.ts';
import { UsageError } from '../usage-error.ts';

/** `receipt verify`: a receipt and its entry against keys, without any network. */
export function addReceiptCommands(program: Command, context: Context): void {
  program
    .command('receipt')
    .description('verify receipts you saved when recording')
    .command('verify')
    .description('check offline that an entry is in the log named by the receipt')
    .argument('<receipt>', 'receipt file (.tlog-proof), or -')
    .requiredOption('--entry <file>', 'file with the ledger entry of the receipt, or -')
    .requiredOption('--vkey <vkey>', 'a trusted verifier key; repeatable', collect, [])
    .action(async (path: string, options: { readonly entry: string; readonly vkey: readonly string[] }) => {
      const receipt = await readReceipt(context.io, path);
      const entry = await readEntry(context.io, options.entry);
      for (const vkey of options.vkey) assertVkey(vkey);
      const checks = await verifyReceipt(receipt, entry, options.vkey, verifySignature);
      const pins = asFields(options.vkey.map((vkey) => ['pin used', vkey] as const));
      context.show({ json: { checks, pins: options.vkey }, blocks: () => [pins, asChecks(checks)] });
      context.settle(checks);
    });
}

function assertVkey(vkey: string): void {
  try {
    parseVkey(vkey);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new UsageError(`--vkey is not a verifier key: ${error.message}`);
  }
}
