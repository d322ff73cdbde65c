import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createDirectory } from './create-directory.ts';
import { errorCode } from './error-code.ts';
import { createDraft } from './write-file-atomically.ts';

/**
 * Makes a directory with its parents and proves that it can be written to. Others may pass through what is made (0711)
 * but not list it: the embedded database runs as another user when the service runs as root. The error is one line that
 * says what to do.
 */
export async function assertWritableDirectory(directory: string): Promise<void> {
  try {
    await createDirectory(directory, 0o711);
    await unlink(await createDraft(join(directory, '.writable'), '', 0o600));
  } catch (error) {
    const code = errorCode(error) ?? 'unknown error';
    throw new Error(
      `the folder ${directory} cannot be written to (${code}); make it writable or point SERVICE_DATA_DIR elsewhere`,
      { cause: error },
    );
  }
}
