import { findNameFault, formatSteps, type JsonValue, type OtlpPlace } from '@answer-evidence/contracts';
import { isJsonArray, isJsonObject, toJson } from '../item/json-value.ts';
import type { AttributeValue, OtlpItem } from '../item/otlp-item.ts';
import { Rejection } from '../item/rejection.ts';
import { findMessagesInState } from '../read/framework-state.ts';
import { readApplication } from '../read/item-fields.ts';
import { placesOf } from '../read/places.ts';
import { findTextAt, openJson } from './place-text.ts';
import { shippedFor } from './shipped-places.ts';

/** Deeper than states nest, and more than a person looks through. */
const DEPTH_MAX = 8;
const PLACES_MAX = 200;
/** Items of a list are alike: only the last is shown. */
const LAST = '-';

/** A place at which items show a text that a rule could name. */
export type SuggestedPlace = Pick<OtlpPlace, 'attribute' | 'event' | 'path'> & {
  readonly application: string | null;
  /** The instrumentation of the first of the items. */
  readonly scope: string;
  readonly isRoot: boolean;
  readonly itemCount: number;
  /** What the first of them shows there, if it was the question and if it was the answer. */
  readonly asked: string | null;
  readonly said: string | null;
  /** The dialects that read the attribute without any rule. */
  readonly readBy: readonly string[];
};

/** The places at which items have texts, those of roots first: where a rule may say that a text stands. */
export function suggestPlaces(items: readonly OtlpItem[]): readonly SuggestedPlace[] {
  const found = new Map<string, SuggestedPlace>();
  for (const item of items) {
    const application = readApplication(item.resource);
    const isRoot = item.kind === 'span' && item.parentSpanId === null;
    for (const { event, lookup } of placesOf(item)) {
      for (const attribute of lookup.keys()) {
        const value = lookup.peek(attribute);
        if (value === undefined || findNameFault(attribute) !== undefined) continue;
        for (const path of pathsIn(value, attribute)) {
          const place: OtlpPlace = {
            attribute,
            ...(event !== null && { event }),
            ...(path !== undefined && { path }),
          };
          const name = JSON.stringify([application, isRoot, place]);
          const known = found.get(name);
          const [asked, said] = [textAt(value, place, 'question'), textAt(value, place, 'answer')];
          if (known !== undefined) found.set(name, { ...known, itemCount: known.itemCount + 1 });
          else if ((asked ?? said) !== null && found.size < PLACES_MAX)
            found.set(name, {
              ...place,
              ...{ application, scope: item.scope.name, isRoot, itemCount: 1, asked, said },
              readBy: shippedFor(place),
            });
        }
      }
    }
  }
  return [...found.values()].toSorted((a, b) => Number(b.isRoot) - Number(a.isRoot));
}

/** The paths in a value at which a text, or messages, may stand; undefined is the whole of it. */
function pathsIn(value: AttributeValue, attribute: string): readonly (string | undefined)[] {
  const whole = typeof value === 'string' ? value : orNone(() => toJson(value, attribute, 'loose'));
  return whole === undefined ? [] : walk(whole, []).map(formatSteps);
}

function walk(value: JsonValue, steps: readonly string[]): readonly (readonly string[])[] {
  const opened = openJson(value) ?? null;
  if (steps.length > DEPTH_MAX) return [];
  if (typeof opened === 'string') return [steps];
  // What is in a conversation is read with it.
  const isConversation = (['question', 'answer'] as const).some((to) => findMessagesInState(opened, to).length > 0);
  if (isConversation) return [steps];
  if (isJsonArray(opened)) return opened.length === 0 ? [] : walk(opened.at(-1) ?? null, [...steps, LAST]);
  if (!isJsonObject(opened)) return [];
  return Object.entries(opened)
    .slice(0, PLACES_MAX)
    .flatMap(([name, member]) => walk(member, [...steps, name]));
}

function textAt(value: AttributeValue, place: OtlpPlace, to: 'question' | 'answer'): string | null {
  return orNone(() => findTextAt(value, place, to)) ?? null;
}

function orNone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
}
