import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '@answer-evidence/ports';

/** Registers one gauge of what was read. */
type RegisterGauge<Read> = (name: string, help: string, valueOf: (read: Read) => number) => void;

/** Gauges of one reading, made on demand and kept for `freshMicros`; without values while it cannot be made. */
export function createGauges<Read>(
  registry: Registry,
  clock: Clock,
  freshMicros: number,
  read: () => Promise<Read>,
): RegisterGauge<Read> {
  let newest: Promise<Read | undefined> | undefined;
  let readAt = 0;
  function readAgain(): Promise<Read | undefined> {
    const nowMicros = clock.nowMicros();
    // A clock that was set back must not keep a reading for as long as it was set back.
    if (newest === undefined || Math.abs(nowMicros - readAt) > freshMicros) {
      readAt = nowMicros;
      newest = read().catch(() => undefined);
    }
    return newest;
  }
  return (name, help, valueOf) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const current = await readAgain();
        if (current === undefined) this.remove();
        else this.set(valueOf(current));
      },
    });
  };
}

/** Seconds since a time, 0 when there is none. */
export function ageOf(clock: Clock, at: number | undefined): number {
  return at === undefined ? 0 : Math.max(0, (clock.nowMicros() - at) / 1_000_000);
}
