const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/;

const UNITS = [
  ['y', 31_557_600],
  ['mo', 2_629_800],
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** How long ago a time is, or how far ahead, such as `3d ago`; undefined for a text that is no time. */
export function formatAge(text: string, now: number): string | undefined {
  if (!TIME.test(text)) return undefined;
  const seconds = Math.round(now / 1_000_000 - Date.parse(text) / 1000);
  if (Number.isNaN(seconds)) return undefined;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? (['s', 1] as const);
  const count = `${Math.trunc(Math.abs(seconds) / size)}${unit}`;
  return seconds < 0 ? `in ${count}` : `${count} ago`;
}
