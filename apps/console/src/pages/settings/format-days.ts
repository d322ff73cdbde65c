const YEAR = 365.25;
const MONTH = YEAR / 12;
const UNITS = [
  ['year', YEAR, 2],
  ['month', MONTH, 2],
  ['week', 7, 3],
] as const;

/** About how long so many days are, such as "≈ 2 years"; empty for few days, and for what is no number. */
export function formatDays(days: number, language: string): string {
  const found = UNITS.find(([, length, least]) => days >= length * least - length / 4);
  if (!Number.isFinite(days) || found === undefined) return '';
  const [unit, length] = found;
  const value = new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 1,
  }).format(days / length);
  return `≈ ${value}`;
}
