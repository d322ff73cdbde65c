import { type Command, Option } from 'commander';
import { type LogKeyAlgorithm, logKeyAlgorithm, type LogKeyList } from '@answer-evidence/contracts';
import { formatFingerprint } from '@answer-evidence/note';
import { createTrustFile } from '@answer-evidence/verify';
import type { Context } from '../context.ts';
import { writeOutput, writeResult } from '../files.ts';
import { asTable } from '../output/blocks.ts';
import { formatJsonText } from '../output/terminal-text.ts';
import { addReasonOptions, reasonOf, type ReasonOptions } from '../reason-options.ts';
import { addTrustAnchorCommands } from './trust-anchors.ts';
import { addEvidenceRecordCommand } from './trust-evidence-record.ts';
import { addTrustPolicyCommands } from './trust-policy.ts';
import { addTrustWitnessCommands } from './trust-witnesses.ts';

/** `trust proof`, `trust export`, `trust keys`, and what else there is of trust. */
export function addTrustCommands(program: Command, context: Context): void {
  const trust = program.command('trust').description('proofs, keys, policy, witnesses and anchors');
  const proof = trust
    .command('proof')
    .description('export the proof bundle of a record, for `verify`')
    .argument('<id>', 'id of the record')
    .option('--out <file>', 'write to this file instead of standard output')
    .option('--withhold-texts', 'leave out the texts of question, answer and corrections');
  addReasonOptions(proof).action(
    async (id: string, options: ReasonOptions & { readonly out?: string; readonly withholdTexts?: true }) => {
      const reason = reasonOf(options);
      const { trust: api } = await context.connect();
      const bundle = await (options.withholdTexts === true ? api.proofWithoutTexts(id) : api.proof(id, reason));
      await writeResult(context, options.out, formatJsonText(bundle), 'the bundle');
    },
  );
  trust
    .command('export')
    .description("export a trust file: the log's keys, and the witnesses and anchors that its policy requires")
    .requiredOption('--out <file>', 'write it to this file')
    .action(async (options: { readonly out: string }) => {
      const client = await context.connect();
      const keys = await client.trust.keys();
      const policy = await client.trust.policy();
      await writeOutput(context.io, options.out, formatJsonText(createTrustFile(keys, policy)));
      showKeys(context, keys);
      context.note(
        `Wrote ${options.out}. It comes from the host that it is meant to check: before you rely on it, ` +
          "compare each fingerprint with the workspace's administrator over another channel.",
      );
    });
  const keyCommands = trust.command('keys').description("list the log's keys and their fingerprints");
  keyCommands
    .command('add')
    .description('add a key, which signs in addition to the current one')
    .addOption(
      new Option('--algorithm <name>', 'what the key signs with; ml-dsa-44 needs the policy log_signatures=hybrid')
        .choices(logKeyAlgorithm.options)
        .default('ed25519'),
    )
    .action(async (options: { readonly algorithm: LogKeyAlgorithm }) => {
      const client = await context.connect();
      const { vkey } = await client.trust.addKey(options);
      showKeys(context, await client.trust.keys());
      context.note(`Give ${vkey} to your witnesses and auditors before you retire the previous key.`);
    });
  keyCommands
    .command('retire')
    .description('retire a key: it no longer signs')
    .argument('<vkey>', 'vkey of the key, as shown by `trust keys`')
    .action(async (vkey: string) => {
      const client = await context.connect();
      showKeys(context, await client.trust.retireKey(vkey));
    });
  keyCommands
    .command('list', { isDefault: true })
    .description("list the log's keys and their fingerprints")
    .action(async () => {
      const client = await context.connect();
      showKeys(context, await client.trust.keys());
    });
  addTrustPolicyCommands(trust, context);
  addEvidenceRecordCommand(trust, context);
  addTrustAnchorCommands(trust, context);
  addTrustWitnessCommands(trust, context);
}

function showKeys(context: Context, keys: LogKeyList): void {
  const items = keys.items.map((item) => ({ ...item, fingerprint: formatFingerprint(item.vkey) }));
  context.show({
    json: { origin: keys.origin, items, earlier: keys.earlier },
    blocks: () =>
      asTable(
        ['algorithm', 'state', 'from size', 'to size', 'fingerprint', 'vkey'],
        items.map((item) => [
          item.algorithm,
          item.state,
          item.first_tree_size,
          item.last_tree_size,
          item.fingerprint,
          item.vkey,
        ]),
      ),
  });
}
