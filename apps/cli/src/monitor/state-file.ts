import { type MonitoredLog, type MonitorState, monitorState } from '@answer-evidence/contracts';
import { EncodingError, JsonError, parseJson } from '@answer-evidence/encoding';
import { MerkleError } from '@answer-evidence/merkle';
import { assertMonitoredLog } from '@answer-evidence/monitor';
import { NoteError } from '@answer-evidence/note';
import type { Io } from '../io.ts';
import { readWith } from '../issues.ts';
import { formatJsonText } from '../output/terminal-text.ts';
import { describeFileError, findErrorCode, ofFile } from '../system-error.ts';
import { UsageError } from '../usage-error.ts';

/** The state of a monitor, locked for this process. Whatever is kept is on the disk when the call returns. */
export type StateFile = {
  readonly state: () => MonitorState;
  keepLog(log: MonitoredLog): Promise<void>;
  keepReported(reported: MonitorState['reported']): Promise<void>;
  close(): void;
};

const EMPTY: MonitorState = { format: 'answer-evidence-monitor/v1', logs: [], reported: [] };

/** Takes the lock of a state file and reads it. Throws `UsageError`; then nothing has changed on the disk. */
export async function openStateFile({ files }: Pick<Io, 'files'>, path: string): Promise<StateFile> {
  const lock = await files.lock(`${path}.lock`).catch((error: unknown) => {
    const reason = findErrorCode(error) === 'ERR_SQLITE_ERROR' ? 'cannot be locked' : describeFileError(error);
    throw new UsageError(`${path}.lock: ${reason}; put the state file on a local disk that you may write to`);
  });
  if (lock === undefined)
    throw new UsageError(`another monitor uses ${path}; stop it, or give this one a state file of its own`);
  let state: MonitorState;
  try {
    state = await readState(files, path);
  } catch (error) {
    lock.release();
    throw error;
  }

  async function keep(next: MonitorState): Promise<void> {
    if (JSON.stringify(next) === JSON.stringify(state)) return;
    await ofFile(path, files.writeDurably(path, formatJsonText(next)));
    state = next;
  }
  return {
    state: () => state,
    async keepLog(log) {
      const isKnown = state.logs.some(({ source }) => source === log.source);
      const logs = isKnown
        ? state.logs.map((known) => (known.source === log.source ? log : known))
        : [...state.logs, log];
      await keep({ ...state, logs });
    },
    keepReported: (reported) => keep({ ...state, reported }),
    close: () => lock.release(),
  };
}

async function readState(files: Io['files'], path: string): Promise<MonitorState> {
  let bytes: Uint8Array;
  try {
    bytes = await files.read(path);
  } catch (error) {
    if (findErrorCode(error) === 'ENOENT') return EMPTY;
    throw new UsageError(`${path}: ${describeFileError(error)}`);
  }
  try {
    const read = readWith(monitorState, parseJson(bytes));
    if ('fault' in read) throw refuse(path, read.fault);
    for (const log of read.value.logs) assertMonitoredLog(log);
    return read.value;
  } catch (error) {
    const isForeign = error instanceof JsonError || error instanceof NoteError || error instanceof MerkleError;
    if (isForeign || error instanceof EncodingError) throw refuse(path, error.message);
    throw error;
  }
}

function refuse(path: string, reason: string): UsageError {
  return new UsageError(
    `${path} is not a state file of this monitor (${reason}), and was left as it is: restore it from a backup, ` +
      'or name another file; a new one begins without what was verified before',
  );
}
