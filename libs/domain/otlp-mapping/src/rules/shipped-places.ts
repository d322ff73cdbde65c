import type { OtlpPlace } from '@answer-evidence/contracts';
import type { ContentRule } from '../dialects/content-rule.ts';
import { DIALECTS } from '../dialects/order.ts';

/** Forms that rules of an application cannot say: of several attributes in one, or of a single framework. */
const OF_THEIR_OWN: ReadonlySet<ContentRule['form']> = new Set(['hash', 'indexed', 'flow', 'keyed']);

/** Where a dialect that the service ships looks for texts, in the form in which rules of an application say it. */
export type ShippedPlaces = {
  readonly name: string;
  /** Where its names are documented. */
  readonly source: string;
  readonly question: readonly OtlpPlace[];
  readonly answer: readonly OtlpPlace[];
  /** Attributes that are read in a form which rules cannot say. */
  readonly others: readonly string[];
};

/** The places of every dialect that has some, in the order in which they are asked. */
export const SHIPPED_PLACES: readonly ShippedPlaces[] = DIALECTS.flatMap(({ name, source, contents = [] }) => {
  const [plain, others] = [contents.filter(isPlain), contents.filter((rule) => !isPlain(rule))];
  const placesOf = (to: ContentRule['to']) => distinct(plain.filter((rule) => rule.to === to).map(placeOf));
  const shipped = { name, source, question: placesOf('question'), answer: placesOf('answer') };
  // Marks are no matter of rules.
  if (contents.length === 0 || contents.every(({ isMark = false }) => isMark)) return [];
  return [{ ...shipped, others: [...new Set(others.map(({ key }) => key))] }];
});

function isPlain({ form, isMark = false }: ContentRule): boolean {
  return !isMark && !OF_THEIR_OWN.has(form);
}

function placeOf({ key, event }: ContentRule): OtlpPlace {
  return event === null ? { attribute: key } : { attribute: key, event };
}

function distinct(places: readonly OtlpPlace[]): readonly OtlpPlace[] {
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

/** The names of the dialects that read the attribute of a place. */
export function shippedFor({ attribute, event }: Pick<OtlpPlace, 'attribute' | 'event'>): readonly string[] {
  return SHIPPED_PLACES.filter(({ question, answer }) =>
    [...question, ...answer].some((place) => place.attribute === attribute && place.event === event),
  ).map(({ name }) => name);
}
