import { type Command, Option } from 'commander';
import { evidenceFilters, evidenceKind, evidenceState } from '@answer-evidence/contracts';
import { viewAccesses, viewAsset, viewAssets, viewRetrieved } from '../batch-evidence.ts';
import type { Context } from '../context.ts';
import { readMetadata } from '../evidence-metadata.ts';
import { readJsonInput, writeOutput } from '../files.ts';
import { parseWith } from '../issues.ts';
import { addTimeFilters, collect, fieldsOf, given } from '../options.ts';
import { formatJsonText } from '../output/terminal-text.ts';
import { addPageOptions, pageOf, type PageOptions, showList } from '../paging.ts';
import { UsageError } from '../usage-error.ts';
import { addDiscloseCommand } from './evidence-disclose.ts';
import { addDownloadCommand, addUploadCommand } from './evidence-transfer.ts';

/** `evidence upload|register|list|get|retrieve|download|accesses|disclose`. */
export function addEvidenceCommands(program: Command, context: Context): void {
  const evidence = program.command('evidence').description('evidence for answers: files, passages and references');
  addUploadCommand(evidence, context);
  addRegisterCommand(evidence, context);
  addListCommand(evidence, context);
  evidence
    .command('get')
    .description('show one asset and its state')
    .argument('<id>', 'id of the asset')
    .action((id: string) => context.report((client) => client.evidence.get(id), viewAsset));
  addRetrieveCommand(evidence, context);
  addDownloadCommand(evidence, context);
  addAccessesCommand(evidence, context);
  addDiscloseCommand(evidence, context);
}

type RegisterOptions = {
  readonly application?: string;
  readonly uri?: string;
  readonly segments?: string;
  readonly name?: string;
  readonly attributes?: string;
  readonly record?: string;
  readonly idempotencyKey?: string;
};

function addRegisterCommand(evidence: Command, context: Context): void {
  evidence
    .command('register')
    .description('register passages, or a reference to external content')
    .option('--application <key>', 'application that the evidence belongs to')
    .option('--uri <uri>', 'address of the content; the service never fetches it')
    .option('--segments <file>', 'a JSON array of texts, or -')
    .option('--name <name>', 'display name')
    .option('--attributes <file>', 'further attributes as a JSON object (file, or -)')
    .option('--record <id>', 'link it to this record')
    .option('--idempotency-key <key>', 'idempotency key, the same for every retry; default: random')
    .action(async (options: RegisterOptions) => {
      const { uri, record: recordId, idempotencyKey } = options;
      if ((uri === undefined) === (options.segments === undefined))
        throw new UsageError('give either --uri or --segments');
      const segments = options.segments === undefined ? undefined : await readTexts(context, options.segments);
      const body = {
        ...(await readMetadata(context, options)),
        ...given({ segments, external_uri: uri }),
      };
      const client = await context.connect();
      const asset = await client.evidence.register(body, given({ recordId, idempotencyKey }));
      context.show({ json: asset, blocks: () => viewAsset(asset) });
    });
}

async function readTexts({ io }: Context, path: string): Promise<string[]> {
  const value = await readJsonInput(io, path);
  if (!Array.isArray(value) || !value.every((text) => typeof text === 'string'))
    throw new UsageError(`${path}: not a JSON array of texts`);
  return value;
}

function addListCommand(evidence: Command, context: Context): void {
  const list = addPageOptions(
    evidence
      .command('list')
      .description('list assets, newest first')
      .option('--application <key>', 'filter by application')
      .addOption(new Option('--kind <kind>', 'filter by kind').choices(evidenceKind.options))
      .addOption(new Option('--state <state>', 'filter by state').choices(evidenceState.options))
      .option('--content-hash <hash>', 'filter by content hash, sha256:<hex>')
      .option('--record <id>', 'filter by record: accessed for it or linked to it'),
  );
  addTimeFilters(list, context.io).action(async (options: PageOptions) => {
    const filters = parseWith(evidenceFilters, fieldsOf(evidenceFilters, options));
    const found = await (await context.connect()).evidence.list(filters, pageOf(options));
    showList(context, found, viewAssets, options, 'assets');
  });
}

type RetrieveOptions = { readonly segment: readonly string[]; readonly purpose?: string; readonly out?: string };

function addRetrieveCommand(evidence: Command, context: Context): void {
  evidence
    .command('retrieve')
    .description('retrieve segments and the ids that bind the access to an answer; the service logs the access')
    .argument('<id>', 'id of the asset')
    .option('--segment <id>', 'only this segment; repeatable', collect, [])
    .option('--purpose <text>', 'purpose of the access; managers can see it')
    .option('--out <file>', 'write the response as JSON to this file')
    .action(async (id: string, { segment, purpose, out }: RetrieveOptions) => {
      const client = await context.connect();
      const retrieved = await client.evidence.retrieve(id, {
        ...(segment.length === 0 ? {} : { segment_ids: [...segment] }),
        ...given({ purpose }),
      });
      if (out === undefined) context.show({ json: retrieved, blocks: () => viewRetrieved(retrieved) });
      else await writeOutput(context.io, out, formatJsonText(retrieved));
    });
}

function addAccessesCommand(evidence: Command, context: Context): void {
  addPageOptions(
    evidence
      .command('accesses')
      .description('list accesses to an asset (who, when, why), newest first')
      .argument('<id>', 'id of the asset'),
  ).action(async (id: string, options: PageOptions) => {
    const list = await (await context.connect()).evidence.accesses(id, pageOf(options));
    showList(context, list, viewAccesses, options, 'accesses');
  });
}
