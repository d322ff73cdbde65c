import { assertWritableDirectory } from '@answer-evidence/filesystem';
import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

/** Throws `StartError` unless the data folder can be written to. */
export async function assertDataDir(config: Config): Promise<void> {
  try {
    await assertWritableDirectory(config.SERVICE_DATA_DIR);
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : 'the data folder is not writable');
  }
}
