/** What a bundle states of one entry of the log. */
export type TimelineEntry = { readonly at: string; readonly what: string; readonly by: string; readonly leaf: string };

/**
 * What a bundle states in the order of the log: the record, its events, what was attached. Members of other forms are
 * left out; the checks say what is wrong with them.
 */
export function readTimeline(bundle: unknown): readonly TimelineEntry[] {
  const leaves = [member(bundle, 'record'), ...items(bundle, 'events'), ...items(bundle, 'attachments')];
  return leaves
    .flatMap((leaf) => {
      const [core, entry] = [member(leaf, 'core'), parse(member(leaf, 'entry'))];
      const [at, index] = [member(entry, 'at'), member(leaf, 'leaf_index')];
      if (typeof at !== 'string' || typeof index !== 'number') return [];
      const type = member(core, 'event_type') ?? member(entry, 'type');
      return [{ at, index, what: words(type), by: describeActor(member(core, 'actor') ?? member(core, 'created_by')) }];
    })
    .toSorted((a, b) => a.index - b.index)
    .map(({ index, ...rest }) => ({ ...rest, leaf: String(index) }));
}

/** The texts that a bundle discloses, and those of corrections. Which of them agree with commitments, checks say. */
export function readTexts(bundle: unknown): readonly (readonly [string, string])[] {
  const disclosed = member(member(bundle, 'record'), 'disclosed');
  const texts: (readonly [string, unknown])[] = [
    ['Question', member(member(disclosed, 'question'), 'text')],
    ['Answer', member(member(disclosed, 'answer'), 'text')],
    ...items(bundle, 'events').map(
      (event) => ['Correction', member(member(member(event, 'disclosed'), 'corrected_text'), 'text')] as const,
    ),
  ];
  return texts.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : []));
}

function describeActor(actor: unknown): string {
  const [kind, id] = [member(actor, 'kind'), member(actor, 'id')];
  return typeof kind === 'string' && typeof id === 'string' ? `${kind} ${id}` : '';
}

function words(type: unknown): string {
  return typeof type === 'string' ? type.replaceAll('_', ' ') : '';
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function items(value: unknown, name: string): readonly unknown[] {
  const found = member(value, name);
  return Array.isArray(found) ? found : [];
}

function parse(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
