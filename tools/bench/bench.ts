import { openTogether } from '@answer-evidence/testing';
import { openRawRows, type RawRows } from './load/raw-rows.ts';
import type { Programs } from './machine/find-programs.ts';
import { type ServerProcess, startServer } from './machine/start-server.ts';
import type { Options } from './options.ts';
import { type BenchService, openService } from './service/open-service.ts';

/** Everything that is measured, running, and how long to measure it. */
export type Bench = {
  readonly options: Options;
  readonly programs: Programs;
  readonly service: BenchService;
  readonly noop: ServerProcess;
  readonly raw: RawRows;
  /** Says what is going on. */
  readonly progress: (line: string) => void;
  close(): Promise<void>;
};

/** Starts all that is measured. Anyone who opened it closes it, last opened first. */
export function openBench(options: Options, programs: Programs, progress: (line: string) => void): Promise<Bench> {
  return openTogether(async (keep) => {
    progress('starting the service with its PostgreSQL, and a no-op Express server');
    const service = await openService();
    keep(() => service.close());
    const noop = await startServer(new URL('load/noop-server.ts', import.meta.url));
    keep(() => noop.stop());
    const raw = await openRawRows(programs.pgbench, service.databaseUrl);
    keep(() => raw.close());
    return { options, programs, service, noop, raw, progress };
  });
}
