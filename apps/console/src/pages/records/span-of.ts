const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** A span of time in its largest whole unit, rounded up: it was never shorter than what is said. In a language. */
export function formatSpan(milliseconds: number, language: string): string {
  const [unit, size] = UNITS.find(([, each]) => milliseconds >= 2 * each) ?? (['second', 1_000] as const);
  const count = Math.max(0, Math.ceil(milliseconds / size));
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
