import type { JsonValue } from '@answer-evidence/contracts';
import { EMPTY_ROOT } from '@answer-evidence/merkle';
import { type Checkpoint, NoteError, parseCheckpoint, parseNote } from '@answer-evidence/note';
import { createTlogView, type ReadTlog } from './tlog-view.ts';
import type { LogView } from './verify-options.ts';

/** No leaf is below it. */
const NOTHING: Checkpoint = { origin: '', size: 0, root: EMPTY_ROOT };

/**
 * The log up to the checkpoint that a bundle or proof shows. Where that cannot be read, nothing of the log is: a check
 * that asks the log reads the checkpoint first, and fails.
 */
export function viewLog(read: ReadTlog, shown: JsonValue): LogView {
  return createTlogView(read, findCheckpoint(shown) ?? NOTHING);
}

function findCheckpoint(shown: JsonValue): Checkpoint | undefined {
  const text = typeof shown === 'object' && shown !== null && 'checkpoint' in shown ? shown.checkpoint : undefined;
  if (typeof text !== 'string') return undefined;
  try {
    return parseCheckpoint(parseNote(text).text);
  } catch (error) {
    if (error instanceof NoteError) return undefined;
    throw error;
  }
}
