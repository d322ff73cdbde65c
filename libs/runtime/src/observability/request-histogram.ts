import { Histogram, type MetricObjectWithValues, type MetricValueWithName, type Registry } from 'prom-client';

const NAME = 'http_request_duration_seconds';
const HELP = 'Time from the request line to the end of the reply.';
const LABELS = ['route', 'method', 'status'] as const;
type Label = (typeof LABELS)[number] | 'le';

type Series = {
  readonly labels: Readonly<Record<(typeof LABELS)[number], string | number>>;
  /** How many fell into each bucket and none before; the last is above all bounds. */
  readonly counts: number[];
  sum: number;
};

/**
 * A histogram of requests that counts by itself and becomes a prom-client metric when it is read. prom-client's own
 * `observe` hashes and checks the labels each time, which took a twentieth of a create.
 */
export class RequestHistogram extends Histogram {
  readonly #bounds: readonly number[];
  /** By route, method and status; one text of all three would take longer than the rest of a count. */
  readonly #series = new Map<string, Map<string, Map<number, Series>>>();

  constructor(bounds: readonly number[], registry: Registry) {
    super({ name: NAME, help: HELP, labelNames: LABELS, buckets: [...bounds], registers: [registry] });
    this.#bounds = bounds;
  }

  count(route: string, method: string, status: number, seconds: number): void {
    const series = this.#seriesOf(route, method, status);
    let bucket = 0;
    while (bucket < this.#bounds.length && seconds > (this.#bounds[bucket] ?? 0)) bucket++;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += seconds;
  }

  #seriesOf(route: string, method: string, status: number): Series {
    const methods = this.#series.get(route) ?? new Map<string, Map<number, Series>>();
    if (methods.size === 0) this.#series.set(route, methods);
    const statuses = methods.get(method) ?? new Map<number, Series>();
    if (statuses.size === 0) methods.set(method, statuses);
    let series = statuses.get(status);
    if (series === undefined) {
      const counts = new Array<number>(this.#bounds.length + 1).fill(0);
      statuses.set(status, (series = { labels: { route, method, status }, counts, sum: 0 }));
    }
    return series;
  }

  override get(): Promise<MetricObjectWithValues<MetricValueWithName<Label>>> {
    const values: MetricValueWithName<Label>[] = [];
    for (const methods of this.#series.values())
      for (const statuses of methods.values())
        for (const series of statuses.values()) values.push(...this.#valuesOf(series));
    const described = { name: NAME, help: HELP, type: 'histogram', aggregator: 'sum', values };
    return Promise.resolve(described as unknown as MetricObjectWithValues<MetricValueWithName<Label>>);
  }

  /** What the registry asks for when it writes the text format. */
  getForPromString(): Promise<MetricObjectWithValues<MetricValueWithName<Label>>> {
    return this.get();
  }

  #valuesOf({ labels, counts, sum }: Series): MetricValueWithName<Label>[] {
    let total = 0;
    const buckets = counts.map((count, n): MetricValueWithName<Label> => {
      total += count;
      return { labels: { ...labels, le: this.#bounds[n] ?? '+Inf' }, value: total, metricName: `${NAME}_bucket` };
    });
    return [
      ...buckets,
      { labels, value: sum, metricName: `${NAME}_sum` },
      { labels, value: total, metricName: `${NAME}_count` },
    ];
  }
}
