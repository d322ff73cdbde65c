import type { JsonValue } from '@answer-evidence/contracts';
import { type LogView, type ReadTlog, viewLog } from '@answer-evidence/verify';

/**
 * Verifies with the log up to the checkpoint that a bundle or proof shows, or without a reader. Rejects with what the
 * reader rejected with: a log that nobody could read shows nothing, neither good nor bad.
 */
export async function withLog<Verification>(
  shown: JsonValue,
  read: ReadTlog | undefined,
  verify: (log: { readonly log?: LogView }) => Promise<Verification>,
): Promise<Verification> {
  if (read === undefined) return verify({});
  let fault: { readonly error: unknown } | undefined;
  const noting: ReadTlog = async (path) => {
    try {
      return await read(path);
    } catch (error) {
      fault ??= { error };
      throw error;
    }
  };
  const verification = await verify({ log: viewLog(noting, shown) });
  if (fault !== undefined) throw fault.error;
  return verification;
}
