import type { IgnoredReason, JsonObject } from '@answer-evidence/contracts';
import { ANSWERS_KEY, MARK_PREFIX } from '../dialects/mapping-table.ts';
import { EVALUATION_RULES } from '../dialects/ref-rules.ts';
import { ASIDES, CHECKS, FAILURES, NAMED_RUNS, RUNS } from '../dialects/tables.ts';
import { findSingle } from '../item/attribute-lookup.ts';
import { boundScope } from '../item/bound-scope.ts';
import type { OtlpItem, OtlpResource, OtlpScope } from '../item/otlp-item.ts';
import type { Retrieved } from '../item/prompts.ts';
import { refusable, type Refusal } from '../item/refusal.ts';
import { createCheck, holds } from './conditions.ts';
import { findDocuments } from './document-refs.ts';
import { isPartOfFlow } from './flows.ts';
import { findReason, isOfGenAi } from './ignored-reason.ts';
import { readApplication, readResourceFields, type ResourceFields } from './item-fields.ts';
import { countDropped } from './listed-attributes.ts';
import { mayHoldContent } from './may-hold-content.ts';
import { type MessageKind, messageOf } from './message-of.ts';
import { hasOwnError, isPaused } from './own-errors.ts';
import { isOwnCall } from './own-steps.ts';
import { bodyMembers, type Place, placesOf } from './places.ts';
import { NOTHING_READ, readAnswer, type ReadTexts } from './read-answer.ts';
import { findSemanticRefs } from './semantic-refs.ts';
import { withThread } from './threads.ts';

/**
 * What is read of a span or log record: its place in its trace, and what a record may take from it. No other attribute
 * goes any further. Plain data.
 */
export type ReducedItem = ReadTexts & {
  readonly kind: OtlpItem['kind'];
  /** The position in the request. */
  readonly index: number;
  /** Null where the resource names none, or none that can be one. */
  readonly applicationKey: string | null;
  /** The instrumentation, as far as its name is kept. */
  readonly scopeName: string;
  readonly traceId: string | null;
  readonly spanId: string | null;
  readonly parentSpanId: string | null;
  /** A span that nothing comes above. */
  readonly isRoot: boolean;
  /** Its parent is of another process, where it may be a tool or an agent, or nothing that is ever sent here. */
  readonly hasRemoteParent?: true;
  /** A span of a kind of which what runs below answers nobody beside another answer. */
  readonly isAside: boolean;
  /** A span that judges what was asked or answered, which is a kind of the same. */
  readonly isCheck: boolean;
  /** An agent that judges another one if it is part of it. */
  readonly isCheckIfNested: boolean;
  /** A span of what calls models that ended with an error: it answered nobody, and neither did what is below it. */
  readonly hasFailed: boolean;
  /** It is a node of a graph that stopped to ask a person, so that the graph has not answered yet. */
  readonly isPaused?: true;
  /** A message of a request that has no trace: nothing tells which of its turns is the last. */
  readonly isOfThread?: true;
  /** It was refused and told so: nothing of what it said is left. */
  readonly isRefused?: true;
  /** It made a record: only its place is left. */
  readonly isRecorded?: true;
  /** The rules of its application look for its answer where no text is: what is below it answers nobody either. */
  readonly isSilenced?: true;
  /** By the rules of its application, answers beside it below one span are steps of one. */
  readonly joinsSiblings?: true;
  /** It has attributes of these conventions. */
  readonly isOfGenAi: boolean;
  readonly startedAtUnixNano: bigint;
  readonly endedAtUnixNano: bigint;
  /** The sender marked it as an answer. */
  readonly marked: boolean;
  /** Its resource does not say that only marked items are answers. */
  readonly mayAnswer: boolean;
  readonly message: MessageKind;
  readonly sourceRefs: readonly JsonObject[];
  readonly semanticRefs: readonly JsonObject[];
  readonly retrieved: Retrieved | null;
  readonly responseId: string | null;
  readonly droppedAttributes: number;
  /** Why it is no answer by itself; null where it is one, or cannot be read. */
  readonly reason: IgnoredReason | null;
  /** What rules of its application say of that: a sentence without values that were sent. */
  readonly detail?: string;
};

/** Reads items by the table of `mapping-table.ts`, each by itself. */
export function reduceItems(received: readonly OtlpItem[]): readonly ReducedItem[] {
  const resources = new Map<OtlpResource, ReadResource>();
  const scopes = new Map<OtlpScope, string>();
  return received.map((given) => {
    const item = withThread(given);
    let resource = resources.get(item.resource);
    if (resource === undefined) {
      resource = readResource(item.resource);
      resources.set(item.resource, resource);
    }
    let scopeName = scopes.get(item.scope);
    if (scopeName === undefined) {
      scopeName = boundScope(item.scope.name);
      scopes.set(item.scope, scopeName);
    }
    const reduced = reduceItem(item, resource, scopeName);
    return item === given ? reduced : { ...reduced, isOfThread: true as const };
  });
}

const isOfRun = createCheck(RUNS);
const isOfAside = createCheck(ASIDES);
const isOfCheck = createCheck(CHECKS);
const isOfFailure = createCheck(FAILURES);
/** What the items of a resource have in common. */
type ReadResource = {
  readonly applicationKey: string | null;
  readonly fields: ResourceFields | Refusal;
  /** It does not say that only marked items are answers. */
  readonly mayAnswer: boolean;
};

function readResource(resource: OtlpResource): ReadResource {
  return {
    applicationKey: readApplication(resource),
    fields: refusable(() => readResourceFields(resource)),
    mayAnswer: !resource.attributes.some(({ key, value }) => key === ANSWERS_KEY && value === 'marked'),
  };
}

function reduceItem(item: OtlpItem, resource: ReadResource, scopeName: string): ReducedItem {
  const places = placesOf(item);
  const [own] = places;
  const marked = isMarked(item);
  const { mayAnswer, applicationKey } = resource;
  const message = marked || !mayAnswer ? null : messageOf(item);
  const is = (check: (own: Place) => boolean) => item.kind === 'span' && own !== undefined && check(own);
  const isRun = is(isOfRun) || isNamedRun(item);
  const isAside = is(isOfAside);
  const isOfConvention = isOfGenAi(item);
  const isOfModels = isOfConvention || isNamedAsRun(item);
  const hasFailed = !marked && !isAside && isOfModels && (hasOwnError(item) || is(isOfFailure));
  const isPart = !marked && (isPartOfFlow(item) || isOwnCall(item));
  const mayHold = !hasFailed && !isPart && (isRun || mayHoldContent(item));
  const { answer, asked, written, continued, isChore, isUntold } = mayHold
    ? readAnswer(item, places, { marked, resource, message, isRun })
    : NOTHING_READ;
  const { sourceRefs, retrieved } = findDocuments(places, item);
  const semanticRefs = findSemanticRefs(item, places);
  const isUsed = answer !== null || message !== null || sourceRefs.length > 0 || semanticRefs.length > 0;
  const responseId = findSingle(item.attributes, EVALUATION_RULES.response_id);
  const reduced: ReducedItem = {
    kind: item.kind,
    index: item.index,
    applicationKey,
    scopeName,
    traceId: item.traceId,
    spanId: item.spanId,
    parentSpanId: item.kind === 'span' ? item.parentSpanId : null,
    isRoot: item.kind === 'span' && item.parentSpanId === null,
    isAside,
    isCheck: is(isOfCheck),
    isCheckIfNested: is((place) => place.nestedAgents !== undefined && holds(place.nestedAgents.when, place)),
    hasFailed,
    isOfGenAi: isOfConvention,
    startedAtUnixNano: item.kind === 'span' ? item.startTimeUnixNano : item.timeUnixNano,
    endedAtUnixNano: item.kind === 'span' ? item.endTimeUnixNano : item.timeUnixNano,
    marked,
    mayAnswer,
    message,
    answer,
    asked,
    written,
    sourceRefs,
    semanticRefs,
    retrieved,
    responseId: typeof responseId === 'string' ? responseId : null,
    droppedAttributes: isUsed ? countDropped(item) : 0,
    reason:
      (isPart || isChore === true) && mayAnswer
        ? 'other_operation'
        : findReason(item, { answer, marked, mayAnswer, hasFailed, isRun, isUntold }),
  };
  const hasRemoteParent = item.kind === 'span' && item.parentSpanId !== null && item.parentIsRemote;
  const isWaiting = isPaused(item);
  // Few have any of these, and a spread costs as much as all other members.
  if (!hasRemoteParent && !isWaiting && continued === undefined) return reduced;
  return {
    ...reduced,
    ...(hasRemoteParent && { hasRemoteParent: true }),
    ...(isWaiting && { isPaused: true }),
    ...(continued !== undefined && { continued }),
  };
}

/** The run of a workflow that shows nothing but its name. */
function isNamedRun(item: OtlpItem): boolean {
  return item.kind === 'span' && NAMED_RUNS.some(({ scope, name }) => item.scope.name === scope && item.name === name);
}

/** The names of spans of agents in the conventions. One that failed may say nothing else of itself. */
function isNamedAsRun(item: OtlpItem): boolean {
  return item.kind === 'span' && /^invoke_(?:agent|workflow) /.test(item.name);
}

/** Whether an item is marked as an answer; true also of an attribute that nobody reads. */
function isMarked(item: OtlpItem): boolean {
  const has = ({ key }: { readonly key: string }) => key.startsWith(MARK_PREFIX);
  return item.attributes.some(has) || (item.kind === 'log' && bodyMembers(item).some(has));
}
