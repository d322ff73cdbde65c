import { memberOf, parseJsonText } from '@answer-evidence/encoding';
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
  const stated = memberOf(bundle, 'holds');
  if (!Array.isArray(stated)) return undefined;
  const entries = stated.map((leaf) => ({
    core: memberOf(leaf, 'core'),
    at: memberOf(parse(memberOf(leaf, 'entry')), 'at'),
  }));
  return entries.flatMap(({ core, at }) => {
    const [id, matter] = [memberOf(core, 'id'), memberOf(core, 'matter')];
    if (typeof at !== 'string' || typeof matter !== 'string' || memberOf(core, 'hold_id') !== undefined) return [];
    const release = entries.find((other) => id !== undefined && memberOf(other.core, 'hold_id') === id);
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

function parse(text: unknown): unknown {
  try {
    return typeof text === 'string' ? parseJsonText(text) : undefined;
  } catch {
    return undefined;
  }
}
