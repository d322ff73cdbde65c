import { itemsOf, memberOf } from '@answer-evidence/encoding';
import type { MarkedItems, StoryStep, WordLanguage } from '@answer-evidence/verify';
import { parse } from './parse.ts';
import { formatTime, showPlain } from './plain-text.ts';

/** What a bundle states of one entry of the log. */
export type TimelineEntry = {
  readonly at: string;
  /** The type of the event, or else of the entry. */
  readonly type: string;
  readonly by: string;
  /** The number of an event among those of its record; undefined for other entries. */
  readonly sequence: unknown;
  /** Why, where the bundle discloses it. */
  readonly reason: string | undefined;
  readonly leaf: string;
};

/**
 * What a bundle states in the order of the log: the record, its events, what was attached. Members of other forms are
 * left out; the checks say what is wrong with them.
 */
export function readTimeline(bundle: unknown): readonly TimelineEntry[] {
  const leaves = [memberOf(bundle, 'record'), ...itemsOf(bundle, 'events'), ...itemsOf(bundle, 'attachments')];
  return leaves
    .flatMap((leaf) => {
      const [core, entry] = [memberOf(leaf, 'core'), parse(memberOf(leaf, 'entry'))];
      const [at, index] = [memberOf(entry, 'at'), memberOf(leaf, 'leaf_index')];
      if (typeof at !== 'string' || typeof index !== 'number') return [];
      const type = memberOf(core, 'event_type') ?? memberOf(entry, 'type');
      const reason = memberOf(memberOf(memberOf(leaf, 'disclosed'), 'reason'), 'item');
      return [
        {
          at,
          index,
          sequence: memberOf(core, 'sequence'),
          type: typeof type === 'string' ? type : '',
          by: describeActor(memberOf(core, 'actor') ?? memberOf(core, 'created_by')),
          reason: typeof reason === 'string' ? reason : undefined,
        },
      ];
    })
    .toSorted((a, b) => a.index - b.index)
    .map(({ index, ...rest }) => ({ ...rest, leaf: String(index) }));
}

const STEPS = ['correction_appended', 'voided', 'redacted', 'retention_extended', 'text_expired'] as const;
const REASON_MAX = 120;

/** The events of a bundle as the steps of its story. A reason that is not the recorded one is no part of it. */
export function readSteps(
  bundle: unknown,
  language: WordLanguage,
  reasons: MarkedItems['reasons'],
): readonly StoryStep[] {
  return readTimeline(bundle).flatMap(({ type: named, at, sequence, reason }) => {
    const type = STEPS.find((one) => one === named);
    if (type === undefined) return [];
    const isShort = reason !== undefined && reason.length <= REASON_MAX && reasons.get(sequence) !== 'differs';
    return [{ type, at: formatTime(at, language), reason: isShort ? showPlain(reason) : undefined }];
  });
}

/** A source that the application named; `isGone` where its item is not in the bundle. */
export type NamedSource = { readonly name: string; readonly isGone: boolean };

const NAMES = ['source_name', 'title', 'name', 'file', 'path', 'url', 'uri'];

/** The sources that a bundle names, by what a reader knows them by. */
export function readSources(bundle: unknown): readonly NamedSource[] {
  const record = memberOf(bundle, 'record');
  const disclosed = itemsOf(memberOf(record, 'disclosed'), 'source_refs');
  return itemsOf(memberOf(record, 'core'), 'source_refs').map((ref, n) => {
    const item = memberOf(disclosed[n], 'item');
    const named = NAMES.map((name) => memberOf(item, name)).find((value) => typeof value === 'string' && value !== '');
    const id = memberOf(ref, 'source_ref_id');
    const name = typeof named === 'string' ? named : typeof id === 'string' ? id : '?';
    return { name, isGone: item === undefined };
  });
}

function describeActor(actor: unknown): string {
  const [kind, id] = [memberOf(actor, 'kind'), memberOf(actor, 'id')];
  return typeof kind === 'string' && typeof id === 'string' ? `${kind} ${id}` : '';
}
