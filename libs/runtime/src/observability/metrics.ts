import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { HttpMetrics } from '@answer-evidence/http-edge';
import { RequestHistogram } from './request-histogram.ts';

/** The process's metrics; anyone who has more of them registers them with `registry`. */
export type Metrics = {
  readonly registry: Registry;
  readonly http: HttpMetrics;
  /** So many spans could not be exported. */
  spansLost(spans: number): void;
};

/** Seconds; fine around the few milliseconds of a create. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A registry of its own with the runtime's default metrics, those of HTTP, and what the log has lost. */
export function createMetrics(log: { lostLines(): number }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new RequestHistogram(BUCKETS, registry);
  const inFlight = new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests in progress.',
    registers: [registry],
  });
  new Counter({
    name: 'log_lines_lost_total',
    help: 'Log lines that could not be written.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(log.lostLines());
    },
  });
  const spansLost = new Counter({
    name: 'trace_spans_lost_total',
    help: 'Spans of the traces of the service that could not be exported.',
    registers: [registry],
  });
  const damaged = new Counter({
    name: 'damaged_reads_total',
    help: 'Requests that met something stored that was altered, cut or lost; a ledger check names it.',
    labelNames: ['route'],
    registers: [registry],
  });
  return {
    registry,
    spansLost: (spans) => spansLost.inc(spans),
    http: {
      damageFound(route) {
        damaged.inc({ route });
      },
      requestStarted() {
        inFlight.inc();
      },
      requestEnded(route, method, status, seconds) {
        inFlight.dec();
        duration.count(route, method, status, seconds);
      },
    },
  };
}
