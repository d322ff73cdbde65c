import type { Command } from 'commander';
import { anyBundle } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { discloseSegments, retrievedTexts } from '../disclose-segments.ts';
import { readJsonInput, writeResult } from '../files.ts';
import { formatJsonText } from '../output/terminal-text.ts';
import { UsageError } from '../usage-error.ts';

/** `evidence disclose`: puts retrieved texts into a bundle, offline. The service hands out no text with a bundle. */
export function addDiscloseCommand(evidence: Command, context: Context): void {
  evidence
    .command('disclose')
    .description('put retrieved texts into a proof bundle, for `verify` to compare')
    .argument('<bundle>', 'proof bundle file, or -')
    .argument('<retrieved>', 'file written by `evidence retrieve --out`')
    .option('--out <file>', 'write the bundle to this file instead of standard output')
    .action(async (bundlePath: string, retrievedPath: string, { out }: { readonly out?: string }) => {
      if (bundlePath === '-' && retrievedPath === '-')
        throw new UsageError('only one of the two files can be standard input (-)');
      const bundle = anyBundle.safeParse(await readJsonInput(context.io, bundlePath));
      if (!bundle.success) throw new UsageError(`${bundlePath}: not a proof bundle`);
      const retrieved = retrievedTexts.safeParse(await readJsonInput(context.io, retrievedPath));
      if (!retrieved.success) throw new UsageError(`${retrievedPath}: not the output of "evidence retrieve --out"`);
      const disclosure = discloseSegments(bundle.data, retrieved.data);
      const what = `the bundle with ${disclosure.count} texts`;
      await writeResult(context, out, formatJsonText(disclosure.bundle), what);
    });
}
