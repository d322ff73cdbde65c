import { type JsonObject, type JsonValue, REFS_MAX } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { formatHex } from '@answer-evidence/encoding';
import type { DocumentRule } from '../dialects/document-rule.ts';
import { DATA_SOURCE_KEY, METADATA_RULES } from '../dialects/ref-rules.ts';
import { DOCUMENT_RULES, SEARCHED, SEARCHES, VECTOR_SEARCHES } from '../dialects/tables.ts';
import { isJsonArray, isJsonObject, memberOf } from '../item/json-value.ts';
import type { AttributeValue } from '../item/otlp-item.ts';
import { nameOpening, type Retrieved } from '../item/prompts.ts';
import { holds } from './conditions.ts';
import { unwrapTyped } from './framework-state.ts';
import { readContents } from './messages.ts';
import type { Place } from './places.ts';
import { readState } from './read-value.ts';
import { findJson, findLabel, findMember, findScore, look, withoutAbsent } from './ref-parts.ts';
import { createRuleIndex } from './rule-index.ts';

/** Which span retrieved documents, in the words of source refs. */
type Retriever = { readonly traceId: string | null; readonly spanId: string | null };

/** Retrieved documents, and what of them tells a question from a prompt. */
type FoundDocuments = { readonly sourceRefs: readonly JsonObject[]; readonly retrieved: Retrieved | null };

/** The first retrieved documents of a span, up to a record's limit: names, addresses, scores and content hashes. */
export function findDocuments(places: readonly Place[], retriever: Retriever): FoundDocuments {
  const [own] = places;
  if (own === undefined) return NOTHING_FOUND;
  const found = documentRulesThere(places)
    .filter(({ when }) => when === undefined || holds(when, own))
    .map((rule) => ({
      rule,
      documents: places.flatMap((place) => readDocuments(rule, place)),
    }))
    .filter(({ documents }) => documents.length > 0);
  if (found.length === 0) return isSearch(own) ? findSearch(own) : NOTHING_FOUND;
  const source = findLabel(look(own, [DATA_SOURCE_KEY]));
  const documents = found.flatMap((one) => one.documents).slice(0, REFS_MAX);
  const queries = found.flatMap(({ rule }) => (rule.query === undefined ? [] : (findQuery(own, rule.query) ?? [])));
  return {
    sourceRefs: documents.flatMap((document) => formatRefs(document, source, retriever)),
    retrieved: { query: queries[0] ?? null, openings: documents.flatMap(({ opening }) => opening ?? []) },
  };
}

/** The rules for documents of which an item has what they read: most items have it of none. */
const documentRulesThere = createRuleIndex(DOCUMENT_RULES, ({ form, key, event = null }) => {
  if (form === 'event') return { event: key };
  return form === 'indexed' ? { event, prefix: key } : { event, key };
});

const NOTHING_FOUND: FoundDocuments = { sourceRefs: [], retrieved: null };

function isSearch(own: Place): boolean {
  return (
    SEARCHES.some(({ when }) => holds(when, own)) || VECTOR_SEARCHES.some((key) => own.lookup.peek(key) !== undefined)
  );
}

/** What searched, and does not show what it found. */
function findSearch(own: Place): FoundDocuments {
  if (SEARCHES.some(({ found }) => own.lookup.peek(found) !== undefined)) return NOTHING_FOUND;
  const queries = [...SEARCHES.map(({ query }) => query), ...SEARCHED].map((key) => findQuery(own, key));
  return { sourceRefs: [], retrieved: { query: queries.find((query) => query !== undefined) ?? null, openings: [] } };
}

function findQuery(own: Place, key: string): string | undefined {
  const value = look(own, [key]);
  return typeof value === 'string' ? readState(value, 'question') : undefined;
}

function formatRefs(
  { id, name, uri, score, contentHash }: FoundDocument,
  source: string | undefined,
  retriever: Retriever,
): readonly JsonObject[] {
  if (id === undefined && name === undefined && uri === undefined && contentHash === undefined) return [];
  return [
    withoutAbsent({
      source_type: 'retrieved_document',
      source_name: name ?? id,
      source_uri: uri,
      source_hash: contentHash,
      document_id: id === name ? undefined : name && id,
      score,
      data_source_id: source,
      trace_id: retriever.traceId ?? undefined,
      span_id: retriever.spanId ?? undefined,
    }),
  ];
}

type FoundDocument = {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly uri: string | undefined;
  readonly score: number | undefined;
  readonly contentHash: string | undefined;
  readonly opening: string | undefined;
};

function readDocuments(rule: DocumentRule, place: Place): readonly FoundDocument[] {
  if (rule.form === 'event') {
    if (place.event !== rule.key) return [];
    const find: Find = (keys) => look(place, keys);
    return [foundDocument(find, findJson(find(rule.metadata ?? []) ?? null, rule.key), rule)];
  }
  if (place.event !== (rule.event ?? null)) return [];
  if (rule.form === 'list') return readDocumentList(rule, place);
  return readFlattenedDocuments(rule, place);
}

/** Finds a member of a document by its names, in their order. */
type Find = (keys: readonly string[]) => AttributeValue | undefined;

function foundDocument(find: Find, metadata: JsonValue | undefined, rule: DocumentRule): FoundDocument {
  const content = find(rule.content);
  const findMore: Find = (keys) => (isJsonObject(metadata) ? findMember(metadata, keys) : undefined);
  return {
    id: findLabel(find(rule.id)),
    name: findUri(findMore(METADATA_RULES.name)),
    uri: findUri(findMore(METADATA_RULES.uri)),
    score: findScore(find(rule.score) ?? findMore(METADATA_RULES.score)),
    contentHash:
      typeof content === 'string' && content.isWellFormed() ? `sha256:${formatHex(sha256(content))}` : undefined,
    opening: typeof content === 'string' ? nameOpening(content) : undefined,
  };
}

/** An address without what may give access: name and password, the query and the fragment. */
function findUri(value: AttributeValue | undefined): string | undefined {
  const uri = findLabel(value);
  if (uri === undefined || !/^[a-z][a-z\d+.-]*:\/\//i.test(uri)) return uri;
  return uri.replace(/[?#].*$/s, '').replace(/^([^/]*\/\/)[^/]*@/, '$1');
}

function readDocumentList(rule: DocumentRule, place: Place): readonly FoundDocument[] {
  const value = look(place, [rule.key]);
  // Most of what has this name is something else, and may be long.
  if (rule.wrapped !== undefined && !isListOf(value, rule.wrapped)) return [];
  if (rule.having !== undefined && !mentions(value, rule.having)) return [];
  const given = value === undefined ? undefined : findJson(value, rule.key);
  const found = (given === undefined ? undefined : unwrapTyped(given)) ?? given;
  const list = isJsonObject(found) ? LISTS.map((name) => memberOf(found, name)).find(isJsonArray) : found;
  if (!isJsonArray(list)) return [];
  return list.slice(0, REFS_MAX).flatMap((item) => readListed(item, rule));
}

/** Members that hold the documents of what a retriever or a step gave back. */
const LISTS = ['documents', 'passages', 'docs', 'context'];

/** Whether a value names one of these members: most do not, and are not parsed. */
function mentions(value: AttributeValue | undefined, names: readonly string[]): boolean {
  return typeof value === 'string' && names.some((name) => value.includes(`"${name}"`));
}

function isListOf(value: AttributeValue | undefined, wrapper: string): boolean {
  return typeof value === 'string' && /^\[\s*"?\{/.test(value) && value.slice(0, wrapper.length + 16).includes(wrapper);
}

/** A document, in an object or as a text alone. */
function readListed(item: JsonValue, rule: DocumentRule): readonly FoundDocument[] {
  if (rule.wrapped !== undefined) return readWrapped(item, rule.wrapped, rule);
  if (rule.having !== undefined) return readPossible(item, rule.having, rule);
  if (typeof item === 'string') {
    return [foundDocument((keys) => (keys === rule.content ? item : undefined), undefined, rule)];
  }
  return isJsonObject(item) ? [readMembers(item, item, rule)] : [];
}

/** A document that is known by its members: plain, or as what a constructor is called with. */
function readPossible(item: JsonValue, having: readonly string[], rule: DocumentRule): readonly FoundDocument[] {
  const inner = isJsonObject(item) ? (memberOf(item, 'kwargs') ?? item) : undefined;
  if (!isJsonObject(inner) || !having.some((name) => typeof memberOf(inner, name) === 'string')) return [];
  return [readMembers(inner, inner, rule)];
}

/** A document that is a member of what was found, in JSON; anything else is none. */
function readWrapped(item: JsonValue, wrapper: string, rule: DocumentRule): readonly FoundDocument[] {
  const found = typeof item === 'string' ? findJson(item, rule.key) : item;
  const document = isJsonObject(found) ? memberOf(found, wrapper) : undefined;
  return isJsonObject(found) && isJsonObject(document) ? [readMembers(document, found, rule)] : [];
}

/** `outer` may have the score. */
function readMembers(document: JsonObject, outer: JsonObject, rule: DocumentRule): FoundDocument {
  const more = rule.metadata?.map((name) => memberOf(document, name)).find(isJsonObject);
  const metadata = more ?? (rule.hasFlatMetadata === true ? document : undefined);
  const find: Find = (keys) => {
    const from = keys === rule.score ? outer : document;
    return findMember(from, keys) ?? joinTexts(from, keys);
  };
  return foundDocument(find, metadata, rule);
}

/** The text of a document that is in parts. */
function joinTexts(document: JsonObject, keys: readonly string[]): string | undefined {
  const parts = keys.map((key) => memberOf(document, key)).find(isJsonArray);
  return parts === undefined ? undefined : readContents({ parts }).text || undefined;
}

function readFlattenedDocuments(rule: DocumentRule, place: Place): readonly FoundDocument[] {
  const numbers = new Set<number>();
  for (const key of place.lookup.keys()) {
    if (!key.startsWith(rule.key)) continue;
    const number = /^(0|[1-9]\d{0,5})\./.exec(key.slice(rule.key.length))?.[1];
    if (number !== undefined) numbers.add(Number(number));
  }
  const first = [...numbers].sort((a, b) => a - b).slice(0, REFS_MAX);
  return first.map((number) => {
    const find: Find = (keys) => {
      const flattened = keys.map((key) => `${rule.key}${number}.${key}`);
      return look(place, flattened);
    };
    return foundDocument(find, findJson(find(rule.metadata ?? []) ?? null, rule.key), rule);
  });
}
