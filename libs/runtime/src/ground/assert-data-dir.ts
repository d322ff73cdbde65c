import { assertNotOpen, assertNoWayOut, assertWritableDirectory } from '@answer-evidence/filesystem';
import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

/** What the service and a witness make in the data folder. */
const FOLDERS = ['postgres', 'heads', 'objects', 'anchors', 'witness', 'witness/checkpoints'];

/**
 * Throws `StartError` unless the data folder can be written to, and by no other user where it has the key or the
 * database; also where a link in it leads elsewhere.
 */
export async function assertDataDir(config: Config): Promise<void> {
  try {
    await assertWritableDirectory(config.SERVICE_DATA_DIR);
    await assertNoWayOut(config.SERVICE_DATA_DIR, FOLDERS);
    if (config.DATABASE_URL === undefined || config.SERVICE_MASTER_KEY === undefined)
      await assertNotOpen(config.SERVICE_DATA_DIR, FOLDERS);
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : 'the data folder is not writable');
  }
}
