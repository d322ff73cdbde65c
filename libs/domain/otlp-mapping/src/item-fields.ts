import { ENVIRONMENT_DEFAULT } from '@answer-evidence/contracts';
import type { AnswerItem } from './answer-item.ts';
import { AttributeLookup, findSingle } from './attribute-lookup.ts';
import { readExternalId, readKey } from './field-forms.ts';
import { FIELD_RULES } from './mapping-table.ts';
import type { AttributeValue, OtlpItem, OtlpResource } from './otlp-item.ts';
import type { Place } from './places.ts';
import { readRefs } from './read-refs.ts';
import { Rejection } from './rejection.ts';

/** The fields of an answer item that are neither content nor derived. Refs are undefined where the sender sent none. */
export type ItemFields = Pick<
  AnswerItem,
  'applicationKey' | 'environment' | 'idempotencyKey' | 'externalMessageId' | 'actorIdHash' | 'sessionIdHash'
> & {
  readonly semanticRefs: AnswerItem['semanticRefs'] | undefined;
  readonly sourceRefs: AnswerItem['sourceRefs'] | undefined;
};

/** The fields that a resource gives its items. */
export type ResourceFields = Pick<ItemFields, 'applicationKey' | 'environment'>;

/** Reads the fields of a resource. Throws `Rejection`. */
export function readResourceFields({ attributes }: OtlpResource): ResourceFields {
  const resource = [new AttributeLookup(attributes)];
  const application = findFirst(resource, FIELD_RULES.application_key.keys);
  if (application === undefined) throw new Rejection('its resource has no service.name');
  const environment = findFirst(resource, FIELD_RULES.environment.keys);
  return {
    applicationKey: readKey(application.value, application.key),
    environment: environment === undefined ? ENVIRONMENT_DEFAULT : readKey(environment.value, environment.key),
  };
}

/** Reads the others from the item's own places, in which the events of a log record come second. Throws `Rejection`. */
export function readFields(item: OtlpItem, places: readonly Place[], resource: ResourceFields): ItemFields {
  const lookups = places.map(({ lookup }) => lookup);
  const inItem = (keys: readonly string[]) => findFirst(lookups, keys);
  const messageId = inItem(FIELD_RULES.external_message_id.keys);
  const actor = inItem(FIELD_RULES.actor_id_hash.keys);
  const session = inItem(FIELD_RULES.session_id_hash.keys);
  const semantic = inItem(FIELD_RULES.semantic_refs.keys);
  const source = inItem(FIELD_RULES.source_refs.keys);
  return {
    ...resource,
    idempotencyKey: readIdempotencyKey(item, inItem(FIELD_RULES.idempotency_key.keys)),
    externalMessageId: messageId === undefined ? null : readExternalId(messageId.value, messageId.key),
    actorIdHash: actor === undefined ? null : readExternalId(actor.value, actor.key),
    sessionIdHash: session === undefined ? null : readExternalId(session.value, session.key),
    semanticRefs: semantic === undefined ? undefined : readRefs(semantic.value, semantic.key, 'semantic'),
    sourceRefs: source === undefined ? undefined : readRefs(source.value, source.key, 'source'),
  };
}

/** The application of a resource, or null where it names none that can be one. */
export function readApplication({ attributes }: OtlpResource): string | null {
  const [key] = FIELD_RULES.application_key.keys;
  const value = findSingle(attributes, key);
  try {
    return value === undefined ? null : readKey(value, key);
  } catch (error) {
    if (error instanceof Rejection) return null;
    throw error;
  }
}

type Found = { readonly key: string; readonly value: AttributeValue };

function findFirst(lookups: readonly AttributeLookup[], keys: readonly string[]): Found | undefined {
  for (const key of keys) {
    for (const lookup of lookups) {
      const value = lookup.find(key);
      if (value !== undefined) return { key, value };
    }
  }
  return undefined;
}

/** The key of an item of which its sender names none. */
export function derivedKeyOf({ traceId, spanId }: Pick<OtlpItem, 'traceId' | 'spanId'>): string | null {
  return traceId === null || spanId === null ? null : `otlp:${traceId}:${spanId}`;
}

function readIdempotencyKey(item: OtlpItem, named: Found | undefined): string {
  if (named !== undefined) return readKey(named.value, named.key);
  const derived = derivedKeyOf(item);
  if (derived !== null) return derived;
  throw new Rejection('it has neither service.audit.idempotency_key nor a trace id and a span id to derive a key from');
}
