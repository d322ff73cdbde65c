import { evidenceOf, MismatchError } from '@answer-evidence/client';
import type { Context } from './context.ts';
import { writeOutput } from './files.ts';
import { formatJsonText } from './output/terminal-text.ts';

/** Beside the file that was to get the receipt, when what came is the receipt of something else. */
const SUFFIX = '.mismatch.json';

/** The response that is asked for. What was signed in a refused one is kept beside `receiptOut`, if that is given. */
export async function keepMismatch<T>(context: Context, receiptOut: string | undefined, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof MismatchError && receiptOut !== undefined && receiptOut !== '-') {
      await writeOutput(context.io, receiptOut + SUFFIX, formatJsonText(evidenceOf(error)));
      context.note(`What was signed in the refused response is in ${receiptOut}${SUFFIX}: keep it as evidence.`);
    }
    throw error;
  }
}
