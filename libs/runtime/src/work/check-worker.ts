import type { CheckedRange } from '@answer-evidence/audit';
import { createMasterVault } from '@answer-evidence/node-crypto';
import { openPool, openRangeChecker } from '@answer-evidence/postgres';
import type { CheckTask } from './check-task.ts';

let opened: { readonly url: string; readonly check: ReturnType<typeof openRangeChecker> } | undefined;

/** Checks one range. A thread keeps its connection until it ends. */
export default function run({ databaseUrl, masterKey, ...task }: CheckTask): Promise<CheckedRange> {
  if (opened?.url !== databaseUrl) {
    const pool = openPool({
      url: databaseUrl,
      role: 'answer_evidence_app',
      connectionsMax: 2,
      onError: () => undefined,
    });
    opened = { url: databaseUrl, check: openRangeChecker(pool, createMasterVault(masterKey)) };
  }
  return opened.check(task);
}
