const UNITS_MS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/** The milliseconds of a header `grpc-timeout`, such as `10S`; undefined for another form. */
export function parseTimeoutMs(header: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(header) ?? [];
  const unitMs = UNITS_MS[unit];
  return unitMs === undefined ? undefined : Number(count) * unitMs;
}
