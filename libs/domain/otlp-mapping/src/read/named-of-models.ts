import { MAKER_WORDS } from '../dialects/model-words.ts';
import { MODEL_WORDS } from '../dialects/tables.ts';
import type { OtlpItem } from '../item/otlp-item.ts';
import { bodyMembers, eventNameOf } from './places.ts';

const WORDS = [...MAKER_WORDS, ...MODEL_WORDS];

/** Whether a name says that what it names is of a model or an agent. */
function isOfModel(name: string): boolean {
  return WORDS.some((pattern) => pattern.test(name));
}

/** Whether the scope, the name or an attribute of an item says that it is of a model, in whatever convention. */
export function isNamedOfModels(item: OtlpItem): boolean {
  if (isOfModel(item.scope.name) || item.attributes.some(({ key }) => isOfModel(key))) return true;
  if (item.kind === 'log')
    return isOfModel(eventNameOf(item) ?? '') || bodyMembers(item).some(({ key }) => isOfModel(key));
  return (
    isOfModel(item.name) ||
    item.events.some(({ name, attributes }) => isOfModel(name) || attributes.some(({ key }) => isOfModel(key)))
  );
}
