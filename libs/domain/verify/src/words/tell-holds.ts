import { parseJsonText } from '@answer-evidence/encoding';
import type { WordLanguage } from './words.ts';

/** A hold that a bundle states, with its times as they stand in the log. */
export type ToldHold = { readonly matter: string; readonly from: string; readonly until: string | undefined };

const NOT_STATED: Readonly<Record<WordLanguage, string>> = { en: 'not stated', de: 'nicht angegeben' };
const NONE: Readonly<Record<WordLanguage, string>> = { en: 'none stated', de: 'keine angegeben' };

/**
 * The holds that a bundle states, of whatever form it is, in the order of the log; undefined where it states none and
 * does not say that there is none. What is wrong with one is a matter of the check `leaf_entry`.
 */
export function readHolds(bundle: unknown): readonly ToldHold[] | undefined {
  const stated = member(bundle, 'holds');
  if (!Array.isArray(stated)) return undefined;
  const entries = stated.map((leaf) => ({
    core: member(leaf, 'core'),
    at: member(parse(member(leaf, 'entry')), 'at'),
  }));
  return entries.flatMap(({ core, at }) => {
    const [id, matter] = [member(core, 'id'), member(core, 'matter')];
    if (typeof at !== 'string' || typeof matter !== 'string' || member(core, 'hold_id') !== undefined) return [];
    const release = entries.find((other) => id !== undefined && member(other.core, 'hold_id') === id);
    return [{ matter, from: at, until: typeof release?.at === 'string' ? release.at : undefined }];
  });
}

/** The holds of a record, a line for each; `show` makes the texts and times of strangers safe to be shown. */
export function tellHolds(
  holds: readonly ToldHold[] | undefined,
  language: WordLanguage,
  show: { readonly text: (text: string) => string; readonly time: (at: string) => string },
): readonly string[] {
  if (holds === undefined) return [NOT_STATED[language]];
  if (holds.length === 0) return [NONE[language]];
  return holds.map(({ matter, from, until }) => {
    const [name, start] = [show.text(matter), show.time(from)];
    if (language === 'de')
      return until === undefined ? `für „${name}“ seit ${start}` : `für „${name}“ von ${start} bis ${show.time(until)}`;
    return until === undefined ? `for “${name}” since ${start}` : `for “${name}” from ${start} to ${show.time(until)}`;
  });
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function parse(text: unknown): unknown {
  try {
    return typeof text === 'string' ? parseJsonText(text) : undefined;
  } catch {
    return undefined;
  }
}
