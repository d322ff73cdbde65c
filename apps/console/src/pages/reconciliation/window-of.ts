const DAY_MS = 86_400_000;

/** The whole days of UTC that have these times in them, as a window that includes its start and not its end. */
export function windowOf(times: readonly string[]): { readonly start: string; readonly end: string } | undefined {
  const known = times.map((at) => Date.parse(at)).filter((at) => !Number.isNaN(at));
  if (known.length === 0) return undefined;
  const days = known.map((at) => Math.floor(at / DAY_MS));
  const [first, last] = [Math.min(...days), Math.max(...days)];
  return { start: startOf(first), end: startOf(last + 1) };
}

function startOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().replace('.000Z', 'Z');
}
