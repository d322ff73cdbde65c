import type { Command } from 'commander';
import { verifySignature } from '@answer-evidence/client';
import type { TrustFile } from '@answer-evidence/contracts';
import { utf8 } from '@answer-evidence/encoding';
import { type Checkpoint, formatNote, NoteError, parseVkey } from '@answer-evidence/note';
import {
  copyTiles,
  findPins,
  keysAt,
  openPublishedLog,
  type PublishedLog,
  type ReadTlog,
  verifyPinned,
} from '@answer-evidence/verify';
import { CheckFailure } from '@answer-evidence/verify/verdict';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { formatReadme } from '../log-export/format-readme.ts';
import { openLogFolder } from '../log-export/log-folder.ts';
import { asFields, type Block } from '../output/blocks.ts';
import { createProgress } from '../progress.ts';
import { openTlogSource } from '../tlog-source.ts';
import { readTrustFile } from '../trust-files.ts';
import { UsageError } from '../usage-error.ts';

type Options = { readonly to: string; readonly trust: string };

/** `log export`: a log as a folder that any web server serves. */
export function addLogCommands(program: Command, context: Context): void {
  program
    .command('log')
    .description('copies of a log that outlive its operator')
    .command('export')
    .description('bring a folder up to the newest checkpoint of a log: tiles, entries, keys, and the checkpoint last')
    .argument('<log>', 'URL of a log such as https://host/tlog/demo, or a folder of tiles')
    .requiredOption('--to <folder>', 'folder that any web server can serve; made if missing, and brought up to date')
    .requiredOption('--trust <file>', 'trust file with the keys of the log; it is copied into the folder')
    .action(async (source: string, options: Options) => exportLog(context, source, options));
}

/** What the folder comes to hold, for programs. */
type Exported = {
  readonly origin: string;
  readonly tree_size: number;
  readonly earlier_tree_size: number | null;
  readonly entry_tiles_read: number;
};

async function exportLog(context: Context, source: string, { to, trust: trustPath }: Options): Promise<void> {
  const { io } = context;
  const trust = await readTrustFile(io, trustPath);
  const lock = await io.files.lock(`${to}.lock`);
  if (lock === undefined) throw new UsageError(`${to}: another export writes to this folder; wait for it`);
  const progress = createProgress(io);
  try {
    const read = await openTlogSource(io, source, context.registry());
    const exported = await bringUp({ io, to, trust, read, tell: (text) => progress.update(text) });
    progress.end();
    context.show({ json: exported, blocks: () => [viewExported(exported, to)] });
  } catch (error) {
    if (!(error instanceof CheckFailure) && !(error instanceof NoteError)) throw error;
    progress.end();
    context.note(`${to} keeps the checkpoint that it has: ${error.message}`);
    context.end(EXIT.failed);
  } finally {
    progress.end();
    lock.release();
  }
}

type Work = {
  readonly io: Io;
  readonly to: string;
  readonly trust: TrustFile;
  readonly read: ReadTlog;
  readonly tell: (text: string) => void;
};

async function bringUp({ io, to, trust, read, tell }: Work): Promise<Exported> {
  const folder = openLogFolder(io, to);
  const log = await openSigned(read, trust, 'the log');
  if (log === undefined)
    throw new CheckFailure('the log has no checkpoint; is this the folder or URL above "checkpoint"?');
  const { checkpoint, note } = log;
  const earlier = (await openSigned(folder.read, trust, 'the folder'))?.checkpoint;
  if (earlier !== undefined && earlier.origin !== checkpoint.origin)
    throw new CheckFailure(`the folder has the log ${earlier.origin}; name another folder for ${checkpoint.origin}`);
  const tilesRead = await copyTiles({
    ...{ from: read, checkpoint, earlier, folder },
    onProgress: (done, of) => tell(`${done} of ${of} full tiles of entries are in ${to} …`),
  });
  const keys = listKeys(trust, checkpoint);
  await folder.write('trust.json', utf8(`${JSON.stringify(trust, undefined, 2)}\n`));
  await folder.write('README.md', utf8(formatReadme(checkpoint.origin, keys)));
  for (const [n, vkey] of keys.entries()) await folder.write(`log-${n + 1}.vkey`, utf8(`${vkey}\n`));
  // A reader finds the earlier tree until here, and from here on the new one: each whole.
  await folder.write('checkpoint', utf8(formatNote(note)));
  await folder.prune(earlier?.size ?? 0, checkpoint.size);
  return {
    origin: checkpoint.origin,
    tree_size: checkpoint.size,
    earlier_tree_size: earlier?.size ?? null,
    entry_tiles_read: tilesRead,
  };
}

/** The keys of a log at the size of a checkpoint, those of Ed25519 first, which every program reads. */
function listKeys(trust: TrustFile, { origin, size }: Checkpoint): readonly string[] {
  const vkeys = keysAt(findPins(trust, origin) ?? [], size).map(({ vkey }) => vkey);
  return vkeys.toSorted((a, b) => parseVkey(a).type - parseVkey(b).type);
}

/** A log with a checkpoint that the pinned keys signed; undefined where there is none. */
async function openSigned(read: ReadTlog, trust: TrustFile, whose: string): Promise<PublishedLog | undefined> {
  const log = await openPublishedLog(read);
  if (log === undefined) return undefined;
  const pins = findPins(trust, log.checkpoint.origin);
  if (pins === undefined)
    throw new CheckFailure(`${whose} is ${log.checkpoint.origin}, which the trust file does not name`);
  await verifyPinned(log.note, log.checkpoint, pins, verifySignature);
  return log;
}

function viewExported({ origin, tree_size, earlier_tree_size, entry_tiles_read }: Exported, to: string): Block {
  return asFields([
    ['log', origin],
    ['folder', to],
    ['tree size', tree_size],
    ['before', earlier_tree_size],
    ['tiles of entries read', entry_tiles_read],
  ]);
}
