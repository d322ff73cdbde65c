import { readFile } from 'node:fs/promises';
import { parseTrustedLogs, type TrustedLog, WitnessError } from '@answer-evidence/witness';
import { StartError } from '../ground/start-error.ts';

/** The logs of the command line and of the file, by origin. Throws `StartError`, also when there is none. */
export async function readTrustedLogs(
  vkeys: readonly string[],
  file: string | undefined,
): Promise<ReadonlyMap<string, TrustedLog>> {
  const logs = new Map<string, TrustedLog>();
  const add = (text: string, source: string): void => {
    try {
      for (const [origin, log] of parseTrustedLogs(text)) {
        logs.set(origin, { origin, vkeys: [...(logs.get(origin)?.vkeys ?? []), ...log.vkeys] });
      }
    } catch (error) {
      if (error instanceof WitnessError) throw new StartError(`${source}, ${error.reason}`);
      throw error;
    }
  };
  for (const vkey of vkeys) add(vkey, '--log');
  if (file !== undefined) add(await readText(file), file);
  if (logs.size === 0) throw new StartError('a witness needs a log to watch: --log VKEY, or --logs FILE');
  return logs;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new StartError(`${file} cannot be read; it must list the logs, one vkey per line`);
  }
}
