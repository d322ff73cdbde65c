import { evidenceKind, evidenceState } from '@answer-evidence/contracts';
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Context } from '../context.ts';
import { formatAccesses, formatAsset, formatAssets, formatRetrieved } from '../evidence-view.ts';
import { readJsonInput, writeOutput } from '../files.ts';
import { readMetadata } from '../evidence-metadata.ts';
import { collect, parseCount } from '../options.ts';
import { formatJsonText } from '../terminal-text.ts';
import { UsageError } from '../usage-error.ts';
import { addDiscloseCommand } from './evidence-disclose.ts';
import { addDownloadCommand, addUploadCommand } from './evidence-transfer.ts';

type Page = { readonly page?: number; readonly size?: number; readonly cursor?: string };

/** `evidence upload|register|list|get|retrieve|download|accesses|disclose`. */
export function addEvidenceCommands(program: Command, context: Context): void {
  const evidence = program.command('evidence').description('files, passages and references that answers rest on');
  addUploadCommand(evidence, context);
  addRegisterCommand(evidence, context);
  addListCommand(evidence, context);
  evidence
    .command('get')
    .description('one asset, and what became of it')
    .argument('<id>', 'id of the asset')
    .action(async (id: string) => {
      const asset = await (await context.connect()).evidence.get(id);
      context.show({ json: asset, table: () => formatAsset(asset) });
    });
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
    .description('keep passages, or a reference to something that lies elsewhere')
    .option('--application <key>', 'whose evidence it is')
    .option('--uri <uri>', 'where it lies; nothing is fetched from there')
    .option('--segments <file>', 'a JSON array of texts, or -')
    .option('--name <name>', 'what people call it')
    .option('--attributes <file>', 'a JSON object with whatever else is to be known of it, or -')
    .option('--record <id>', 'put it beside this record')
    .option('--idempotency-key <key>', 'the same for every try; else a random one')
    .action(async (options: RegisterOptions) => {
      const { uri, record: recordId, idempotencyKey } = options;
      if ((uri === undefined) === (options.segments === undefined))
        throw new UsageError('give --uri or --segments, one of the two');
      const segments = options.segments === undefined ? undefined : await readTexts(context, options.segments);
      const body = {
        ...(await readMetadata(context, options)),
        ...(segments === undefined ? {} : { segments }),
        ...(uri === undefined ? {} : { external_uri: uri }),
      };
      const client = await context.connect();
      const asset = await client.evidence.register(body, {
        ...(recordId === undefined ? {} : { recordId }),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      });
      context.show({ json: asset, table: () => formatAsset(asset) });
    });
}

async function readTexts({ io }: Context, path: string): Promise<string[]> {
  const value = await readJsonInput(io, path);
  if (!Array.isArray(value) || !value.every((text) => typeof text === 'string'))
    throw new UsageError(`${path}: not a JSON array of texts`);
  return value;
}

type ListOptions = Page & {
  readonly application?: string;
  readonly kind?: 'file' | 'media' | 'reference';
  readonly state?: 'available' | 'redacted' | 'expired';
  readonly contentHash?: string;
  readonly record?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
};

function addListCommand(evidence: Command, context: Context): void {
  addPaging(
    evidence
      .command('list')
      .description('assets, newest first')
      .option('--application <key>', 'of this application')
      .addOption(new Option('--kind <kind>', 'of this kind').choices(evidenceKind.options))
      .addOption(new Option('--state <state>', 'of this state').choices(evidenceState.options))
      .option('--content-hash <hash>', 'with these bytes, sha256:<hex>')
      .option('--record <id>', 'accessed for this record, or put beside it')
      .option('--created-after <time>', 'from this time on (RFC 3339)')
      .option('--created-before <time>', 'before this time'),
  ).action(async (options: ListOptions) => {
    const filters = {
      application_key: options.application,
      kind: options.kind,
      state: options.state,
      content_hash: options.contentHash,
      answer_log_id: options.record,
      created_after: options.createdAfter,
      created_before: options.createdBefore,
    };
    const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
    const list = await (await context.connect()).evidence.list(given, pageOf(options));
    context.show({ json: list, table: () => formatAssets(list.items) });
    if (list.next_cursor !== null) context.note(`There are more: --cursor ${list.next_cursor}`);
  });
}

type RetrieveOptions = { readonly segment: readonly string[]; readonly purpose?: string; readonly out?: string };

function addRetrieveCommand(evidence: Command, context: Context): void {
  evidence
    .command('retrieve')
    .description('segments of an asset, with what binds the access into an answer; the service logs it')
    .argument('<id>', 'id of the asset')
    .option('--segment <id>', 'only this segment; may be repeated', collect, [])
    .option('--purpose <text>', 'what for; managers see it')
    .option('--out <file>', 'write what came as JSON there')
    .action(async (id: string, { segment, purpose, out }: RetrieveOptions) => {
      const client = await context.connect();
      const retrieved = await client.evidence.retrieve(id, {
        ...(segment.length === 0 ? {} : { segment_ids: [...segment] }),
        ...(purpose === undefined ? {} : { purpose }),
      });
      if (out === undefined) context.show({ json: retrieved, table: () => formatRetrieved(retrieved) });
      else await writeOutput(context.io, out, formatJsonText(retrieved));
    });
}

function addAccessesCommand(evidence: Command, context: Context): void {
  addPaging(
    evidence
      .command('accesses')
      .description('who accessed an asset, when and why, newest first')
      .argument('<id>', 'id of the asset'),
  ).action(async (id: string, options: Page) => {
    const list = await (await context.connect()).evidence.accesses(id, pageOf(options));
    context.show({ json: list, table: () => formatAccesses(list.items) });
    if (list.next_cursor !== null) context.note(`There are more: --cursor ${list.next_cursor}`);
  });
}

function addPaging(command: Command): Command {
  return command
    .option('--page <n>', 'which page', parseCount)
    .option('--size <n>', 'how many, at most 200', parseCount)
    .option('--cursor <cursor>', 'go on from a page before');
}

function pageOf({ page, size, cursor }: Page): Page {
  return {
    ...(page === undefined ? {} : { page }),
    ...(size === undefined ? {} : { size }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}
