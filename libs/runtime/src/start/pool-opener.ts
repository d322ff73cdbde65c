import { openPool, type ServiceRole, type ServiceUrls, watchPulse } from '@answer-evidence/postgres';
import { tracePool } from '../observability/tracing/trace-parts.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';

/** Connections of one role. */
export type Pool = ReturnType<typeof openPool>;

/** Opens connections that are given up together when the database falls silent. */
export type PoolOpener = {
  /** The caller ends them. */
  readonly open: (role: ServiceRole, connectionsMax: number) => Pool;
  readonly pulse: Pick<ReturnType<typeof watchPulse>, 'ask'>;
  close(): Promise<void>;
};

/** One connection more asks whether the database answers. */
export function createPoolOpener(urls: ServiceUrls, onError: (error: Error) => void, tracing?: Tracing): PoolOpener {
  const openOne: PoolOpener['open'] = (role, connectionsMax) =>
    openPool({ url: urls[role], role, connectionsMax, onError });
  const asking = openOne('answer_evidence_app', 1);
  const pulse = watchPulse(asking);
  return {
    pulse,
    open(role, connectionsMax) {
      const opened = openOne(role, connectionsMax);
      pulse.watch(opened);
      return tracing === undefined ? opened : tracePool(opened, tracing);
    },
    async close() {
      pulse.stop();
      await asking.end();
    },
  };
}
