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
  const resources = new Map<OtlpResource, Attributes>();
  for (const [n, item] of items.entries()) {
    const made = reduced[n];
    if (made === undefined || made.marked || made.answer === null) continue;
    let resource = resources.get(item.resource);
    if (resource === undefined) {
      resource = factsOf(new AttributeLookup(item.resource.attributes));
      resources.set(item.resource, resource);
    }
    const own = placesOf(item).find(({ event }) => event === null);
    facts.set(item.index, {
      spanKind: item.kind === 'span' ? item.spanKind : null,
      attributes: own === undefined ? new Map() : factsOf(own.lookup),
      resource,
    });
  }
  return facts;
}

/** What a rule can compare; an attribute that is there with two values is equal to nothing. */
function factsOf(lookup: AttributeLookup): Attributes {
  const facts = new Map<string, Fact>();
  for (const name of lookup.keys()) {
    const value = lookup.peek(name);
    const isShort = typeof value === 'string' && value.length <= TEXT_LENGTH_MAX;
    if (isShort || typeof value === 'number' || typeof value === 'boolean') facts.set(name, value);
  }
  return facts;
}
