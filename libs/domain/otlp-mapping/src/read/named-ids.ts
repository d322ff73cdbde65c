import { NAMED_ID_LENGTH_MAX } from '@answer-evidence/contracts';
import { NAMED_ID_RULES } from '../dialects/tables.ts';
import type { AttributeLookup } from '../item/attribute-lookup.ts';
import type { OtlpItem } from '../item/otlp-item.ts';
import { isRefusal } from '../item/refusal.ts';
import { bodyMembers, placesOf } from './places.ts';
import type { ReducedItem } from './reduced-item.ts';

/** Whom or what an id names. */
type Kind = keyof typeof NAMED_ID_RULES;

/**
 * The ids of people and sessions that answers name, as they were sent, by the position of the answer's item. They are
 * apart from the items so that nothing that keeps or shows an item can keep or show them.
 */
export type NamedIds = ReadonlyMap<number, Readonly<Record<Kind, string | null>>>;

const KEYS: ReadonlySet<string> = new Set(Object.values(NAMED_ID_RULES).flat());

/** Whether an attribute names a person or a session. */
export function isNamedId(key: string): boolean {
  return KEYS.has(key);
}

/** The ids that answers name, each by its own attributes: then it does not matter what else has come of a trace. */
export function findNamedIds(items: readonly OtlpItem[], reduced: readonly ReducedItem[]): NamedIds {
  const found = new Map<number, Readonly<Record<Kind, string | null>>>();
  for (const [n, item] of items.entries()) {
    if (!mayBeNamed(reduced[n]) || !namesSomeone(item)) continue;
    const [own] = placesOf(item);
    if (own === undefined) continue;
    found.set(item.index, { actor: findId(own.lookup, 'actor'), session: findId(own.lookup, 'session') });
  }
  return found;
}

/** The items with hashes in place of the ids that they name, where the sender gave no hash. */
export function hashNamedIds(
  items: readonly ReducedItem[],
  ids: NamedIds,
  hash: (kind: Kind, id: string) => string,
): readonly ReducedItem[] {
  return items.map((item) => {
    const { answer } = item;
    const named = ids.get(item.index);
    if (named === undefined || answer === null || isRefusal(answer.fields)) return item;
    const { fields } = answer;
    const hashOf = (kind: Kind) => (named[kind] === null ? null : hash(kind, named[kind]));
    return {
      ...item,
      answer: {
        ...answer,
        fields: {
          ...fields,
          actorIdHash: fields.actorIdHash ?? hashOf('actor'),
          sessionIdHash: fields.sessionIdHash ?? hashOf('session'),
        },
      },
    };
  });
}

function mayBeNamed(item: ReducedItem | undefined): boolean {
  return item?.answer != null && !isRefusal(item.answer.fields);
}

function namesSomeone(item: OtlpItem): boolean {
  const has = ({ key }: { readonly key: string }) => isNamedId(key);
  return item.attributes.some(has) || (item.kind === 'log' && bodyMembers(item).some(has));
}

/** The first id of its rules that is a text or a whole number; what else was sent is passed over. */
function findId(lookup: AttributeLookup, kind: Kind): string | null {
  for (const key of NAMED_ID_RULES[kind]) {
    const value = lookup.peek(key);
    const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
    const id = isWhole ? String(value) : value;
    if (typeof id === 'string' && id !== '' && id.length <= NAMED_ID_LENGTH_MAX && id.isWellFormed()) return id;
  }
  return null;
}
