import { parseJson } from '@answer-evidence/encoding';
import { HeadError, type HeadFiles } from '@answer-evidence/ports';

/** Where a file lies, as a person finds it. */
export function pathOf(files: HeadFiles, name: string): string {
  return `${files.place}/${name}`;
}

/** Reads a file of JSON. Throws `HeadError` for one that `parse` refuses, or that is not there. */
export async function readStored<T>(files: HeadFiles, name: string, parse: (value: unknown) => T): Promise<T> {
  try {
    return parse(parseJson((await files.read(name)) ?? new Uint8Array()));
  } catch (error) {
    // The place itself says what is wrong with it.
    if (error instanceof HeadError) throw error;
    throw unreadable(files, name, error);
  }
}

/** A file that is there and cannot be understood. */
export function unreadable(files: HeadFiles, name: string, cause: unknown): HeadError {
  const words =
    'cannot be read or is damaged, so a rollback of the log could go unnoticed; restore the file from a backup';
  return new HeadError('kept_unreadable', `${pathOf(files, name)} ${words}`, { cause });
}

/** A number as a part of a name, so that names are in the order of their numbers. */
export function pad(value: number, digits = 16): string {
  return String(value).padStart(digits, '0');
}
