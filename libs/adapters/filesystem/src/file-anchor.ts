import { constants, type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '@answer-evidence/digest';
import { canonicalize, equalBytes, formatHex, utf8 } from '@answer-evidence/encoding';
import { parseCheckpoint, parseNote } from '@answer-evidence/note';
import type { Anchor, AnchorOutcome, AnchorRequest } from '@answer-evidence/ports';
import { createDirectory } from './create-directory.ts';
import { errorCode } from './error-code.ts';
import { readNewestNotes } from './file-anchor-notes.ts';
import { syncDirectory } from './write-file-atomically.ts';

const LINE_FEED = 0x0a;

/**
 * Anchors by a line in a file of this machine, one file per log: for demonstrations, and as a second record beside the
 * database. It is no outside party and vouches for nothing against anyone who can write the folder. The line is on the
 * disk when an attempt is confirmed; a repeated attempt finds it and writes nothing. Two at the same time may both
 * write it, which is harmless.
 */
export async function openFileAnchor(directory: string): Promise<Anchor> {
  await createDirectory(directory, 0o700);
  return {
    async submit(request) {
      const { text } = parseNote(request.note);
      const line = formatLine(request, text);
      const name = fileNameOf(parseCheckpoint(text).origin);
      try {
        return confirmed(name, await keepLine(directory, name, line), request);
      } catch (error) {
        return failed('written', error);
      }
    },
    async readNewest({ origin }) {
      const path = join(directory, fileNameOf(origin));
      try {
        return { kind: 'read', notes: (await readNewestNotes(path)).map((note) => ({ note, place: path })) };
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return { kind: 'read', notes: [] };
        return failed('read', error);
      }
    },
  };
}

function failed(asked: 'read' | 'written', error: unknown): { readonly kind: 'failed'; readonly detail: string } {
  const code = errorCode(error);
  if (code === undefined) throw error;
  return { kind: 'failed', detail: `the file of anchors cannot be ${asked} (${code})` };
}

function formatLine({ config, digest, note }: AnchorRequest, text: string): string {
  if (config.type !== 'file') throw new Error('an anchor of another type was given to file');
  if (!equalBytes(sha256(text), digest)) throw new Error('the digest is not that of the checkpoint');
  return canonicalize({ note, sha256: formatHex(digest) });
}

/** Names of logs are words of the operator; what is not plain is replaced, and the hash keeps two logs apart. */
function fileNameOf(origin: string): string {
  const plain = origin.replace(/[^A-Za-z0-9-]+/g, '_').slice(0, 100);
  return `${plain}-${formatHex(sha256(origin)).slice(0, 16)}.jsonl`;
}

/** The number of the line, from 1, after it is durable. */
async function keepLine(directory: string, name: string, line: string): Promise<number> {
  // Never through a link, at whose end a line would be added to a file of somebody else.
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const file = await open(join(directory, name), flags, 0o600);
  try {
    const { lines, found, isTorn } = await readLines(file, line);
    // Found or not, it is synced: anyone who wrote it may have been killed before.
    if (found === undefined) await file.appendFile(`${isTorn ? '\n' : ''}${line}\n`);
    await file.sync();
    await syncDirectory(directory);
    return found ?? lines + 1;
  } finally {
    await file.close();
  }
}

/** Reads through the file once, in memory of one line. A crash may have left a part of a line at the end. */
async function readLines(
  file: FileHandle,
  wanted: string,
): Promise<{ readonly lines: number; readonly found: number | undefined; readonly isTorn: boolean }> {
  let lines = 0;
  let found: number | undefined;
  const { size } = await file.stat();
  const last = new Uint8Array(1);
  if (size > 0) await file.read(last, 0, 1, size - 1);
  const isTorn = size > 0 && last[0] !== LINE_FEED;
  for await (const line of file.readLines({ start: 0, autoClose: false, encoding: 'utf8' })) {
    lines += 1;
    if (line === wanted) found ??= lines;
  }
  // A whole line without its line feed is not finished either.
  return { lines, found: isTorn && found === lines ? undefined : found, isTorn };
}

function confirmed(name: string, line: number, { digest }: AnchorRequest): AnchorOutcome {
  const artefact = utf8(canonicalize({ file: name, line, sha256: formatHex(digest) }));
  return { kind: 'confirmed', artefact, at: null, detail: `line ${line} of a file on the machine of the service` };
}
