import type { Context } from './context.ts';
import { formatTerminalLines } from './output/terminal-text.ts';
import { describeFileError, findErrorCode, ofFile } from './system-error.ts';
import { UsageError } from './usage-error.ts';

/**
 * Writes pieces to a file, whole or not at all, or to standard output. A pipe gets the exact bytes; on a terminal,
 * control characters in other people's texts are made harmless. Throws `UsageError` if the file cannot be written.
 */
export async function writePieces(
  { io }: Context,
  path: string | undefined,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  if (path === undefined) {
    const decoder = new TextDecoder();
    for await (const piece of pieces)
      io.stdout.write(io.stdout.isTerminal ? formatTerminalLines(decoder.decode(piece, { stream: true })) : piece);
    return;
  }
  const file = await ofFile(path, io.files.openReplacement(path));
  try {
    for await (const piece of pieces) await file.append(piece);
    await file.commit();
  } catch (error) {
    await file.abandon();
    throw findErrorCode(error) === undefined ? error : new UsageError(`${path}: ${describeFileError(error)}`);
  }
}
