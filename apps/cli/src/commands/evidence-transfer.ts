import { createHash } from 'node:crypto';
import type { Command } from 'commander';
import { ApiError } from '@answer-evidence/client';
import { viewAsset } from '../batch-evidence.ts';
import type { Context } from '../context.ts';
import { readMetadata } from '../evidence-metadata.ts';
import { given, parseCount } from '../options.ts';
import { createProgress } from '../progress.ts';
import { formatTransfer } from '../progress-bar.ts';
import { describeFileError, ofFile } from '../system-error.ts';
import { UsageError } from '../usage-error.ts';

type UploadOptions = {
  readonly application?: string;
  readonly name?: string;
  readonly contentType?: string;
  readonly attributes?: string;
  readonly record?: string;
  readonly idempotencyKey?: string;
};

/** `evidence upload`: reads the file once for its hash, which the service compares, and again while sending it. */
export function addUploadCommand(evidence: Command, context: Context): void {
  evidence
    .command('upload')
    .description('upload a file of any size')
    .argument('<file>', 'the file')
    .option('--application <key>', 'application that the evidence belongs to')
    .option('--name <name>', 'display name; default: the name of the file')
    .option('--content-type <type>', 'media type; default: detected from the content')
    .option('--attributes <file>', 'further attributes as a JSON object (file, or -)')
    .option('--record <id>', 'link it to this record')
    .option('--idempotency-key <key>', 'idempotency key, the same for every retry; default: random')
    .action(async (path: string, options: UploadOptions) => {
      const { contentType, record: recordId, idempotencyKey } = options;
      const metadata = await readMetadata(context, options);
      const { sha256, sizeBytes } = await hashFile(context, path);
      const client = await context.connect();
      const progress = createProgress(context.io);
      const file = {
        name: context.io.paths.basename(path),
        open: () =>
          reported(readFile(context, path), (done) => progress.update(formatTransfer('sent', done, sizeBytes))),
      };
      try {
        const asset = await client.evidence.upload(
          file,
          { ...metadata, sha256, ...given({ content_type: contentType }) },
          given({ recordId, idempotencyKey }),
        );
        progress.end();
        for (const { detail } of asset.warnings ?? []) context.note(`warning: ${detail}`);
        context.show({ json: asset, blocks: () => viewAsset(asset) });
      } finally {
        progress.end();
      }
    });
}

type DownloadOptions = {
  readonly out: string;
  readonly offset?: number;
  readonly length?: number;
  readonly purpose?: string;
  readonly record?: string;
};

/** `evidence download`: the file appears when all of it came, and its hash is the asset's. */
export function addDownloadCommand(evidence: Command, context: Context): void {
  evidence
    .command('download')
    .description('download the original of an asset; the service logs the access')
    .argument('<id>', 'id of the asset')
    .requiredOption('--out <file>', 'write it to this file')
    .option('--offset <n>', 'first byte to download; needs --length', parseOffset)
    .option('--length <n>', 'number of bytes to download; needs --offset', parseCount)
    .option('--purpose <text>', 'purpose of the access; managers can see it')
    .option('--record <id>', 'access it as evidence of this record')
    .action(async (id: string, { out, offset, length, purpose, record }: DownloadOptions) => {
      if ((offset === undefined) !== (length === undefined))
        throw new UsageError('give --offset and --length, or neither');
      const client = await context.connect();
      const asset = await client.evidence.get(id);
      const range = offset === undefined || length === undefined ? undefined : { offset, length };
      const body = given({ range, purpose });
      const pieces = await client.evidence.download(id, body, record);
      const sizeBytes = range?.length ?? asset.size_bytes ?? undefined;
      const whole = range === undefined ? asset.content_hash : null;
      await keep(context, out, pieces, sizeBytes, whole);
      context.note(`Access event ${pieces.headers.get('evidence-access-event-id') ?? 'unknown'}`);
      context.show({ json: { asset_id: id, file: out }, blocks: () => [] });
    });
}

async function keep(
  { io }: Context,
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  sizeBytes: number | undefined,
  contentHash: string | null,
): Promise<void> {
  const progress = createProgress(io);
  const hash = createHash('sha256');
  const file = await ofFile(path, io.files.openReplacement(path));
  try {
    const shown = (done: number): void => progress.update(formatTransfer('received', done, sizeBytes));
    for await (const piece of reported(pieces, shown)) {
      hash.update(piece);
      await ofFile(path, file.append(piece));
    }
    if (contentHash !== null && `sha256:${hash.digest('hex')}` !== contentHash)
      throw new ApiError(200, "the downloaded content does not match the asset's hash; it was not saved", null);
    await ofFile(path, file.commit());
  } catch (error) {
    await file.abandon();
    throw error;
  } finally {
    progress.end();
  }
}

async function hashFile(context: Context, path: string): Promise<{ sha256: string; sizeBytes: number }> {
  const progress = createProgress(context.io);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  try {
    for await (const piece of readFile(context, path)) {
      hash.update(piece);
      sizeBytes += piece.length;
      progress.update(formatTransfer('read', sizeBytes, undefined));
    }
  } finally {
    progress.end();
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}

async function* readFile({ io }: Context, path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* io.files.readPieces(path);
  } catch (error) {
    throw new UsageError(`${path}: ${describeFileError(error)}`);
  }
}

async function* reported(
  pieces: AsyncIterable<Uint8Array>,
  report: (doneBytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const piece of pieces) {
    done += piece.length;
    report(done);
    yield piece;
  }
}

function parseOffset(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError('--offset must be a number of bytes');
  return Number(text);
}
