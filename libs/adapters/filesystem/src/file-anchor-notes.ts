import { constants, type FileHandle, open } from 'node:fs/promises';
import { parseJsonText } from '@answer-evidence/encoding';
import { PUBLISHED_NOTES_MAX } from '@answer-evidence/ports';

/** Lines are written in the order of their trees: however long the file is, no more of its end is read. */
const TAIL_BYTES = 64 * 1024;

/**
 * The notes of the last lines of a file of anchors, the last one first. Lines of the first form, which has no
 * signatures, and lines that are none are passed over. Throws what the file system throws.
 */
export async function readNewestNotes(path: string): Promise<readonly string[]> {
  // Without waiting, and through no link: what lies there may be a pipe, or lead elsewhere.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    return (await readTail(file)).reverse().flatMap(noteOf).slice(0, PUBLISHED_NOTES_MAX);
  } finally {
    await file.close();
  }
}

/** The last lines; the one that the beginning of the tail cuts is no whole one. */
async function readTail(file: FileHandle): Promise<string[]> {
  const { size } = await file.stat();
  const from = Math.max(0, size - TAIL_BYTES);
  const { buffer, bytesRead } = await file.read(new Uint8Array(Math.min(size, TAIL_BYTES)), { position: from });
  const lines = new TextDecoder().decode(buffer.subarray(0, bytesRead)).split('\n');
  return from === 0 ? lines : lines.slice(1);
}

function noteOf(line: string): readonly string[] {
  try {
    const value = parseJsonText(line);
    const note = typeof value === 'object' && value !== null && 'note' in value ? value.note : undefined;
    return typeof note === 'string' ? [note] : [];
  } catch {
    return [];
  }
}
