import type { LedgerCheckProgress } from '@answer-evidence/contracts';
import type { Workspace } from '@answer-evidence/ports';
import { checkStoredLedger } from '@answer-evidence/postgres';
import { checkWholeLedger, type TrustDeps } from '@answer-evidence/stage-trust';
import type { OriginalsCheck } from '../../open/open-originals-check.ts';
import type { Stores } from '../../open/open-stores.ts';

/** About so many bytes of originals are read by a check that a tenant asks for; the operator's command reads all. */
const ORIGINAL_BYTES_MAX = 1_073_741_824;

/** The check of a log that a tenant may ask for, who is not told where the operator keeps heads. */
export function createLedgerCheck(
  stores: Pick<Stores, 'pool' | 'turn' | 'storedLogs' | 'headStore' | 'clock'>,
  originals: OriginalsCheck | undefined,
): TrustDeps['checkLedger'] {
  const { pool, storedLogs: logs, headStore } = stores;
  return async (workspace, { isSince, onProgress }) => {
    const stored = (await originals?.count(workspace.id)) ?? 0;
    let rows = 0;
    const tellRows = (progress: LedgerCheckProgress) => {
      rows = progress.of;
      onProgress?.(progress.part === 'rows' ? { ...progress, of: rows + stored } : progress);
    };
    const checkOriginals = async (checked: Workspace) =>
      originals?.check(checked, {
        bytesMax: ORIGINAL_BYTES_MAX,
        onPage: ({ stored: done }) =>
          onProgress?.({ kind: 'progress', part: 'rows', done: rows + done, of: rows + Math.max(stored, done) }),
      });
    const kept = { now: () => stores.clock.nowMicros(), isSince };
    const checkStored = (checked: Workspace) =>
      checkStoredLedger(pool, checked, stores.turn, { onProgress: tellRows, kept });
    return checkWholeLedger({ checkStored, logs, headStore, checkOriginals }, workspace, ({ detail }) => detail);
  };
}
