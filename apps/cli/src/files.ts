import type { JsonValue } from '@answer-evidence/contracts';
import { JsonError, parseJson } from '@answer-evidence/encoding';
import type { Context } from './context.ts';
import type { Io } from './io.ts';
import { ofFile } from './system-error.ts';
import { UsageError } from './usage-error.ts';

/** A file that an option names, or standard input for `-`. Throws `UsageError` when it cannot be read. */
export async function readInput(io: Io, path: string): Promise<Uint8Array> {
  if (path === '-') return io.readStdin();
  return ofFile(path, io.files.read(path));
}

/** The same as text, exactly as it stands, a byte order mark and a last line break included. */
export async function readTextInput(io: Io, path: string): Promise<string> {
  const bytes = await readInput(io, path);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(`${path}: not a UTF-8 text file`);
  }
}

/** The same as strict JSON. */
export async function readJsonInput(io: Io, path: string): Promise<JsonValue> {
  return readJson(path, await readInput(io, path));
}

/** Strict JSON from a file or an option of this name. Throws `UsageError`. */
export function readJson(name: string, bytes: Uint8Array): JsonValue {
  try {
    return parseJson(bytes);
  } catch (error) {
    throw new UsageError(`${name}: ${error instanceof JsonError ? error.message : 'not JSON'}`);
  }
}

/** Writes a file that an option names, or to standard output for `-`. Throws `UsageError` when it cannot. */
export async function writeOutput(io: Io, path: string, content: string | Uint8Array): Promise<void> {
  if (path === '-') return io.stdout.write(content);
  await ofFile(path, io.files.write(path, content));
}

/** Writes a text to the file of `--out`, and says what it is; without one to standard output. Throws `UsageError`. */
export async function writeResult(context: Context, path: string | undefined, text: string, what: string) {
  if (path === undefined) return context.io.stdout.write(text);
  await writeOutput(context.io, path, text);
  context.note(`Wrote ${what} to ${path}.`);
}
