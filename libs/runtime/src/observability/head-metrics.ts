import { Gauge, type Registry } from 'prom-client';
import type { HeadKeeper } from '@answer-evidence/stage-trust';

/** Registers what keeps this process from signing, for all workspaces together. */
export function registerHeadMetrics(registry: Registry, heads: Pick<HeadKeeper, 'standing'>): void {
  new Gauge({
    name: 'ledger_heads_unkept_seconds',
    help: 'Age of the oldest entry of this process that no head kept outside the database covers; 0 without any.',
    registers: [registry],
    collect() {
      this.set(heads.standing().unkeptMs / 1_000);
    },
  });
  new Gauge({
    name: 'ledger_logs_stopped',
    help: 'Logs on which this process signs nothing, because an outside party has seen more of them.',
    registers: [registry],
    collect() {
      this.set(heads.standing().stopped);
    },
  });
}
