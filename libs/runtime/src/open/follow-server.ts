import { HeadError } from '@answer-evidence/ports';
import {
  createLogStore,
  createWorkspaceDirectory,
  type FoundServer,
  openPool,
  ServerWatch,
} from '@answer-evidence/postgres';
import { describeServer, inTurns } from '@answer-evidence/stage-trust';
import type { Report } from '../ground/report.ts';
import type { Stores } from './open-stores.ts';

const CONNECTIONS_MAX = 4;
const LOGS_AT_ONCE = 8;

/**
 * Decides what a running process does when its database answers from another server. It goes on there if the operator
 * says that nothing can be missing, and nothing that is known is. Else it ends: the next start gives the
 * logs other names, or is refused. Until that is decided, no connection to the other server is used. The same server
 * after a start may hold other files, such as those of a backup: it goes on there if nothing that is known is missing.
 */
export function followServer(stores: Stores, report: Report): void {
  const { server, heads } = stores;
  let judging: Promise<void> | undefined;
  server.listen({
    onWentBack: (error) => heads.end(error),
    onOther(found) {
      judging ??= follow(stores, found, report)
        .catch((error: unknown) => {
          // What cannot be compared now is compared when the next connection finds the server.
          if (error instanceof HeadError && error.code !== 'place_unavailable') heads.end(error);
        })
        .finally(() => (judging = undefined));
    },
  });
}

async function follow({ server, heads, urls, vault }: Stores, found: FoundServer, report: Report): Promise<void> {
  const watch = new ServerWatch();
  watch.admit(found);
  const pool = openPool({
    url: urls.answer_evidence_app,
    role: 'answer_evidence_app',
    connectionsMax: CONNECTIONS_MAX,
    onError: () => undefined,
    watch,
    isForWrites: true,
  });
  try {
    const directory = createWorkspaceDirectory(pool, vault, () => undefined);
    const logs = createLogStore(pool, directory);
    const workspaces = await directory.list();
    await inTurns(workspaces, LOGS_AT_ONCE, async (workspace) => {
      if (heads.isStopped(workspace.id)) return;
      await heads.assertFollows(workspace, logs, found).catch((error: unknown) => {
        if (!heads.isStopped(workspace.id)) throw error;
      });
    });
    const wasAdmitted = server.isAdmitted(found);
    server.admit(found);
    if (wasAdmitted) return;
    report(
      `the database is on another server now, ${describeServer(found)}, which lacks nothing that was signed, as ` +
        'SERVICE_DATABASE_FAILOVER says; going on',
    );
    // So that another process, or the next start, sees on which server the logs go on.
    for (const workspace of workspaces) if (!heads.isStopped(workspace.id)) await heads.keep(workspace);
  } finally {
    await pool.end();
  }
}
