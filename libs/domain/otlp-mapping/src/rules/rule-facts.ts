import { AttributeLookup } from '../item/attribute-lookup.ts';
import type { OtlpItem, OtlpResource } from '../item/otlp-item.ts';
import { placesOf } from '../read/places.ts';
import type { ReducedItem } from '../read/reduced-item.ts';

/** Longer texts are in no rule. */
const TEXT_LENGTH_MAX = 200;

type Fact = string | number | boolean;
type Attributes = ReadonlyMap<string, Fact>;

/** What rules judge an item by that is not kept of it. Plain data, and never stored. */
export type RuleFacts = {
  /** Of OTLP; null for a log record. */
  readonly spanKind: number | null;
  readonly attributes: Attributes;
  /** Of what sent it, one object for all items of it. */
  readonly resource: Attributes;
};

/** The facts about items that rules may be about, by their position: what may be an answer, and is not marked. */
export function findFacts(items: readonly OtlpItem[], reduced: readonly ReducedItem[]): ReadonlyMap<number, RuleFacts> {
  const facts = new Map<number, RuleFacts>();
  const factsOf = createFactsOf();
  for (const [n, item] of items.entries()) {
    const made = reduced[n];
    if (made === undefined || made.marked || made.answer === null) continue;
    facts.set(item.index, factsOf(item));
  }
  return facts;
}

/** Tells the facts about an item. */
export type FactsOf = (item: OtlpItem) => RuleFacts;

/** The facts about items that share their resources. */
export function createFactsOf(): FactsOf {
  const resources = new Map<OtlpResource, Attributes>();
  return (item) => {
    let resource = resources.get(item.resource);
    if (resource === undefined) {
      resource = comparedIn(new AttributeLookup(item.resource.attributes));
      resources.set(item.resource, resource);
    }
    const own = placesOf(item).find(({ event }) => event === null);
    return {
      spanKind: item.kind === 'span' ? item.spanKind : null,
      attributes: own === undefined ? new Map() : comparedIn(own.lookup),
      resource,
    };
  };
}

/** What a rule can compare; an attribute that is there with two values is equal to nothing. */
function comparedIn(lookup: AttributeLookup): Attributes {
  const facts = new Map<string, Fact>();
  for (const name of lookup.keys()) {
    const value = lookup.peek(name);
    const isShort = typeof value === 'string' && value.length <= TEXT_LENGTH_MAX;
    if (isShort || typeof value === 'number' || typeof value === 'boolean') facts.set(name, value);
  }
  return facts;
}
