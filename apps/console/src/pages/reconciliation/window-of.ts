const SECOND_MS = 1_000;

/** The shortest window of whole seconds that has these times in it; it includes its start and not its end. */
export function windowOf(times: readonly string[]): { readonly start: string; readonly end: string } | undefined {
  const known = times.map((at) => Date.parse(at)).filter((at) => !Number.isNaN(at));
  if (known.length === 0) return undefined;
  const [first, last] = [Math.min(...known), Math.max(...known)];
  return {
    start: formatSecond(Math.floor(first / SECOND_MS)),
    end: formatSecond(Math.floor(last / SECOND_MS) + 1),
  };
}

function formatSecond(seconds: number): string {
  return new Date(seconds * SECOND_MS).toISOString().replace('.000Z', 'Z');
}
