import { openPool, type ServerWatch, type ServiceRole, type ServiceUrls, watchPulse } from '@answer-evidence/postgres';
import { tracePool } from '../observability/tracing/trace-parts.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';

/** Connections of one role. */
export type Pool = ReturnType<typeof openPool>;

/** Opens connections that are given up together when the database falls silent. */
export type PoolOpener = {
  /** The caller ends them. */
  readonly open: (role: ServiceRole, connectionsMax: number, use?: 'writes') => Pool;
  readonly pulse: Pick<ReturnType<typeof watchPulse>, 'ask' | 'askForWork'>;
  close(): Promise<void>;
};

/** One connection more asks whether the database answers, and which server it is. */
export function createPoolOpener(
  urls: ServiceUrls,
  watch: ServerWatch,
  onError: (error: Error) => void,
  tracing?: Tracing,
): PoolOpener {
  const openOne: PoolOpener['open'] = (role, connectionsMax, use) =>
    openPool({
      url: urls[role],
      role,
      connectionsMax,
      onError,
      watch,
      isForWrites: use === 'writes',
      onDiskFull: () => pulse.noteDiskFull(),
    });
  const asking = openOne('answer_evidence_app', 1);
  const pulse = watchPulse(asking, watch);
  return {
    pulse,
    open(role, connectionsMax, use) {
      const opened = openOne(role, connectionsMax, use);
      pulse.watch(opened);
      if (role === 'answer_evidence_relay') pulse.askForWorkOver(opened);
      return tracing === undefined ? opened : tracePool(opened, tracing);
    },
    async close() {
      pulse.stop();
      await asking.end();
    },
  };
}
