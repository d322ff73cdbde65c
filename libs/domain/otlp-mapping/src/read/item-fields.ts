import { ENVIRONMENT_DEFAULT } from '@answer-evidence/contracts';
import { FIELD_RULES } from '../dialects/mapping-table.ts';
import type { AnswerItem } from '../item/answer-item.ts';
import { AttributeLookup, findSingle } from '../item/attribute-lookup.ts';
import { readExternalId, readKey, readMessageId } from '../item/field-forms.ts';
import type { AttributeValue, OtlpItem, OtlpResource } from '../item/otlp-item.ts';
import { Rejection } from '../item/rejection.ts';
import type { Place } from './places.ts';
import { readRefs } from './read-refs.ts';

/** The fields of an answer item that are neither content nor derived. Refs are undefined where the sender sent none. */
export type ItemFields = Pick<
  AnswerItem,
  'applicationKey' | 'environment' | 'idempotencyKey' | 'externalMessageId' | 'actorIdHash' | 'sessionIdHash'
> & {
  readonly semanticRefs: AnswerItem['semanticRefs'] | undefined;
  readonly sourceRefs: AnswerItem['sourceRefs'] | undefined;
  /** What was left out for being invalid: sentences without values. Missing where nothing was. */
  readonly warnings?: readonly string[];
};

/** The fields that a resource gives its items. */
export type ResourceFields = Pick<ItemFields, 'applicationKey' | 'environment' | 'warnings'>;

/** Reads the fields of a resource. Throws `Rejection` if it names no application. */
export function readResourceFields({ attributes }: OtlpResource): ResourceFields {
  const resource = [new AttributeLookup(attributes)];
  const application = findFirst(resource, FIELD_RULES.application_key.keys);
  if (application === undefined) throw new Rejection('its resource has no service.name');
  const optional = createOptional();
  const environment = optional.read(resource, FIELD_RULES.environment.keys, readKey, 'was recorded as production');
  return {
    applicationKey: readKey(application.value, application.key),
    environment: environment ?? ENVIRONMENT_DEFAULT,
    ...optional.told(),
  };
}

/**
 * Reads the others from the item's own places, in which the events of a log record come second. What is optional and
 * invalid is left out with a warning. Throws `Rejection` for a key that cannot be one.
 */
export function readFields(item: OtlpItem, places: readonly Place[], resource: ResourceFields): ItemFields {
  const lookups = places.map(({ lookup }) => lookup);
  const optional = createOptional(resource.warnings);
  const read = <T>(keys: readonly string[], form: (value: AttributeValue, key: string) => T) =>
    optional.read(lookups, keys, form);
  /** Where the sender names its refs and they are invalid, it has none: those of the trace are not what it said. */
  const readOwnRefs = (kind: 'semantic' | 'source') =>
    optional.read(
      lookups,
      FIELD_RULES[`${kind}_refs`].keys,
      (value, key) => readRefs(value, key, kind),
      'was left out',
      [],
    );
  return {
    applicationKey: resource.applicationKey,
    environment: resource.environment,
    idempotencyKey: readIdempotencyKey(item, findFirst(lookups, FIELD_RULES.idempotency_key.keys)),
    externalMessageId: read(FIELD_RULES.external_message_id.keys, readMessageId) ?? null,
    actorIdHash: read(FIELD_RULES.actor_id_hash.keys, readExternalId) ?? null,
    sessionIdHash: read(FIELD_RULES.session_id_hash.keys, readExternalId) ?? null,
    semanticRefs: readOwnRefs('semantic'),
    sourceRefs: readOwnRefs('source'),
    ...optional.told(),
  };
}

/** Reads what an answer need not have: if that is invalid, the answer goes without it, and a warning says so. */
function createOptional(before: readonly string[] = []) {
  const warnings = [...before];
  return {
    read<T>(
      lookups: readonly AttributeLookup[],
      keys: readonly string[],
      form: (value: AttributeValue, key: string) => T,
      instead = 'was left out',
      left?: T,
    ): T | undefined {
      try {
        const found = findFirst(lookups, keys);
        return found === undefined ? undefined : form(found.value, found.key);
      } catch (error) {
        if (!(error instanceof Rejection)) throw error;
        warnings.push(`${error.message}; it ${instead}`);
        return left;
      }
    },
    /** Nothing where there is none, so that what is kept of most answers has no such member. */
    told: () => (warnings.length === 0 ? {} : { warnings }),
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
