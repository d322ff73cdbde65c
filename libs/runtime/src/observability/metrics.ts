import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { HttpMetrics } from '@answer-evidence/http-edge';
import { RequestHistogram } from './request-histogram.ts';

/** The process's metrics; anyone who has more of them registers them with `registry`. */
export type Metrics = { readonly registry: Registry; readonly http: HttpMetrics };

/** Seconds; fine around the few milliseconds of a create. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A registry of its own with the runtime's default metrics and those of HTTP. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new RequestHistogram(BUCKETS, registry);
  const inFlight = new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests in progress.',
    registers: [registry],
  });
  return {
    registry,
    http: {
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
