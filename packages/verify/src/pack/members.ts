/** A member of an object, or undefined of anything else. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** The core of a leaf, and the time in its entry; `unknown` where the entry cannot be read. */
export function readLeaf(leaf: unknown): { readonly core: unknown; readonly at: string } {
  const [entry, core] = [member(leaf, 'entry'), member(leaf, 'core')];
  try {
    const at = typeof entry === 'string' ? member(JSON.parse(entry), 'at') : undefined;
    return { core, at: typeof at === 'string' ? at : 'unknown' };
  } catch {
    return { core, at: 'unknown' };
  }
}
