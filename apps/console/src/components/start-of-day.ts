/** When a day of the reader begins, or so many days later, in UTC; undefined where the text is no day. */
export function startOfDay(day: string | undefined, daysLater: number): string | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '');
  if (parts === null) return undefined;
  const date = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + daysLater);
  return date.toISOString();
}
