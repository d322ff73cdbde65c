/** The values of an address: texts by name. */
export type SearchTexts = Readonly<Record<string, string>>;

/** The values of an address that are texts and not empty. */
export function pickTexts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string' && value !== '') picked[name] = value;
  }
  return picked;
}
