import type { JsonValue } from '@answer-evidence/contracts';
import { NoteError, parseCheckpoint, parseNote } from '@answer-evidence/note';
import { createTlogView, type LogView, type ReadTlog } from '@answer-evidence/verify';

/**
 * Verifies with the log up to the checkpoint that a bundle or proof shows. Without a reader, or without a checkpoint,
 * which the checks then say themselves, it verifies without. Rejects with what the reader rejected with: a log that
 * nobody could read shows nothing, neither good nor bad.
 */
export async function withLog<Verification>(
  shown: JsonValue,
  read: ReadTlog | undefined,
  verify: (log: { readonly log?: LogView }) => Promise<Verification>,
): Promise<Verification> {
  const checkpoint = read === undefined ? undefined : findCheckpoint(shown);
  if (read === undefined || checkpoint === undefined) return verify({});
  let fault: { readonly error: unknown } | undefined;
  const noting: ReadTlog = async (path) => {
    try {
      return await read(path);
    } catch (error) {
      fault ??= { error };
      throw error;
    }
  };
  const verification = await verify({ log: createTlogView(noting, checkpoint) });
  if (fault !== undefined) throw fault.error;
  return verification;
}

function findCheckpoint(shown: JsonValue): ReturnType<typeof parseCheckpoint> | undefined {
  const text = typeof shown === 'object' && shown !== null && 'checkpoint' in shown ? shown.checkpoint : undefined;
  if (typeof text !== 'string') return undefined;
  try {
    return parseCheckpoint(parseNote(text).text);
  } catch (error) {
    if (error instanceof NoteError) return undefined;
    throw error;
  }
}
