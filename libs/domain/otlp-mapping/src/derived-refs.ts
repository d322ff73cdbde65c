import { type JsonObject, type JsonValue, REFS_MAX } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { formatHex } from '@answer-evidence/encoding';
import { isAttributeList } from './attribute-lookup.ts';
import { isJsonArray, isJsonObject, memberOf, readJsonText, toJson } from './json-value.ts';
import {
  DATA_SOURCE_KEY,
  DOCUMENT_RULES,
  type DocumentRule,
  EVALUATION_RULES,
  METADATA_RULES,
  MODEL_RULES,
} from './mapping-table.ts';
import type { AttributeValue } from './otlp-item.ts';
import type { Place } from './places.ts';
import { Rejection } from './rejection.ts';

/** Longest name, id or label that is taken over from instrumentation. */
const LABEL_LENGTH_MAX = 256;
/** Most reasons for which a model stopped: one for each choice. */
const FINISH_REASONS_MAX = 16;

const LABEL = /^\P{Cc}+$/u;

/** A name, an id or a label. What has not its form is left out: instrumentation must not cost an answer its record. */
function findLabel(value: AttributeValue | undefined): string | undefined {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
  if (typeof text !== 'string' || text.length > LABEL_LENGTH_MAX) return undefined;
  return text.isWellFormed() && LABEL.test(text) ? text : undefined;
}

/** A value of a place. One with two values is left out here too. */
function look({ lookup }: Place, keys: readonly string[]): AttributeValue | undefined {
  for (const key of keys) {
    try {
      const value = lookup.find(key);
      if (value !== undefined) return value;
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
    }
  }
  return undefined;
}

function withoutAbsent(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((member): member is [string, JsonValue] => {
      return member[1] !== undefined;
    }),
  );
}

/** Says which model answered, or undefined where nothing is known of it. */
export function findModelRef(places: readonly Place[]): JsonObject | undefined {
  const find = (keys: readonly string[]): AttributeValue | undefined => {
    for (const place of places) {
      const value = look(place, keys);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const model = {
    operation: findLabel(find(MODEL_RULES.operation)),
    provider: findLabel(find(MODEL_RULES.provider)),
    request_model: findLabel(find(MODEL_RULES.request_model)),
    response_model: findLabel(find(MODEL_RULES.response_model)),
    finish_reasons: findReasons(find(MODEL_RULES.finish_reasons)),
  };
  if (model.provider === undefined && model.request_model === undefined && model.response_model === undefined)
    return undefined;
  return withoutAbsent({ ref_type: 'model', ...model });
}

function findReasons(value: AttributeValue | undefined): readonly string[] | undefined {
  const list = value === undefined ? [] : isAttributeList(value) ? value : [value];
  const reasons = list.slice(0, FINISH_REASONS_MAX).flatMap((reason) => findLabel(reason) ?? []);
  return reasons.length === 0 ? undefined : reasons;
}

/** Says how an answer was judged, for each event that judges one. */
export function findEvaluationRefs(places: readonly Place[]): readonly JsonObject[] {
  return places.flatMap((place): readonly JsonObject[] => {
    if (place.event !== EVALUATION_RULES.event) return [];
    const name = findLabel(look(place, [EVALUATION_RULES.name]));
    if (name === undefined) return [];
    return [
      withoutAbsent({
        ref_type: 'evaluation',
        name,
        score_value: findScore(look(place, [EVALUATION_RULES.score_value])),
        score_label: findLabel(look(place, [EVALUATION_RULES.score_label])),
        response_id: findLabel(look(place, [EVALUATION_RULES.response_id])),
      }),
    ];
  });
}

function findScore(value: AttributeValue | undefined): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return value === 0 ? 0 : value;
}

/** Which span retrieved documents, in the words of source refs. */
type Retriever = { readonly traceId: string | null; readonly spanId: string | null };

/** The first retrieved documents of a span, up to a record's limit: ids, scores and content hashes, in order. */
export function findDocumentRefs(places: readonly Place[], retriever: Retriever): readonly JsonObject[] {
  const [own] = places;
  const source = own === undefined ? undefined : findLabel(look(own, [DATA_SOURCE_KEY]));
  const documents = DOCUMENT_RULES.flatMap((rule) => places.flatMap((place) => readDocuments(rule, place)));
  return documents.slice(0, REFS_MAX).flatMap(({ id, score, contentHash }): readonly JsonObject[] => {
    if (id === undefined && contentHash === undefined) return [];
    return [
      withoutAbsent({
        source_type: 'retrieved_document',
        source_name: id,
        source_hash: contentHash,
        score,
        data_source_id: source,
        trace_id: retriever.traceId ?? undefined,
        span_id: retriever.spanId ?? undefined,
      }),
    ];
  });
}

type FoundDocument = {
  readonly id: string | undefined;
  readonly score: number | undefined;
  readonly contentHash: string | undefined;
};

function readDocuments(rule: DocumentRule, place: Place): readonly FoundDocument[] {
  if (rule.form === 'event') {
    if (place.event !== rule.key) return [];
    return [foundDocument((keys) => look(place, keys), rule)];
  }
  if (place.event !== null) return [];
  if (rule.form === 'list') return readDocumentList(rule, place);
  return readFlattenedDocuments(rule, place);
}

function foundDocument(
  find: (keys: readonly string[]) => AttributeValue | undefined,
  rule: DocumentRule,
): FoundDocument {
  const content = find(rule.content);
  const metadata = readMetadata(find, rule);
  return {
    id: findLabel(find(rule.id) ?? metadata.find(METADATA_RULES.id)),
    score: findScore(find(rule.score) ?? metadata.find(METADATA_RULES.score)),
    contentHash:
      typeof content === 'string' && content.isWellFormed() ? `sha256:${formatHex(sha256(content))}` : undefined,
  };
}

/** Looks into a document's metadata, where there is some. */
function readMetadata(
  find: (keys: readonly string[]) => AttributeValue | undefined,
  { metadata = [] }: DocumentRule,
): { find(keys: readonly string[]): AttributeValue | undefined } {
  const value = metadata.length === 0 ? undefined : find(metadata);
  const read = value === undefined ? undefined : findJson(value, metadata.join());
  return { find: (keys) => (isJsonObject(read) ? findMember(read, keys) : undefined) };
}

/** The first of these members that is there, if it is no object. */
function findMember(object: JsonObject, keys: readonly string[]): AttributeValue | undefined {
  const member = keys.map((key) => memberOf(object, key)).find((found) => found !== undefined);
  return typeof member === 'object' ? undefined : member;
}

function readDocumentList(rule: DocumentRule, place: Place): readonly FoundDocument[] {
  const value = look(place, [rule.key]);
  if (value === undefined) return [];
  const list = findJson(value, rule.key);
  if (!isJsonArray(list)) return [];
  return list.slice(0, REFS_MAX).flatMap((document) => {
    if (!isJsonObject(document)) return [];
    return [foundDocument((keys) => findMember(document, keys), rule)];
  });
}

/** A value as JSON, or undefined where it is not one. */
function findJson(value: AttributeValue, name: string): JsonValue | undefined {
  try {
    if (typeof value !== 'string') return toJson(value, name, 'loose');
    const read = readJsonText(value, 'loose');
    return read.kind === 'json' ? read.value : undefined;
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
}

function readFlattenedDocuments(rule: DocumentRule, place: Place): readonly FoundDocument[] {
  const numbers = new Set<number>();
  for (const key of place.lookup.keys()) {
    if (!key.startsWith(rule.key)) continue;
    const number = /^(0|[1-9]\d{0,5})\./.exec(key.slice(rule.key.length))?.[1];
    if (number !== undefined) numbers.add(Number(number));
  }
  return [...numbers]
    .sort((a, b) => a - b)
    .slice(0, REFS_MAX)
    .map((number) =>
      foundDocument(
        (keys) =>
          look(
            place,
            keys.map((key) => `${rule.key}${number}.${key}`),
          ),
        rule,
      ),
    );
}
