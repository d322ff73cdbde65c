import type { PostgresLedger } from '@answer-evidence/postgres';
import type { HeadKeeper } from '@answer-evidence/stage-trust';

/** The ledger, on which nothing is appended that its heads do not admit. */
export function admitAppends(heads: HeadKeeper, ledger: PostgresLedger): PostgresLedger {
  return {
    ...ledger,
    append(workspaceId, prepare) {
      const waiting = heads.admit(workspaceId);
      return waiting === undefined
        ? ledger.append(workspaceId, prepare)
        : waiting.then(() => ledger.append(workspaceId, prepare));
    },
    async appendAll(workspaceId, commands) {
      await heads.admit(workspaceId);
      return ledger.appendAll(workspaceId, commands);
    },
  };
}
