import { AttributeLookup, findSingle, isAttributeMap } from '../item/attribute-lookup.ts';
import type { Attribute, OtlpItem, OtlpLogRecord } from '../item/otlp-item.ts';
import { type Gathering, gatheringOf } from './coding-agents.ts';

/** Attributes that belong together: those of an item, or those of one event of it. */
export type Place = {
  /** The name of the event; null for the item itself. */
  readonly event: string | null;
  readonly lookup: AttributeLookup;
  /** Its messages show neither that a model asked for a tool nor whose the result is: it is a user's there. */
  readonly areCallsHidden?: boolean;
  /** Calls of tools are parts of its messages: a reason that names one means a tool that the server ran. */
  readonly showsCalls?: boolean;
  /** Its completions may begin with their prompt. */
  readonly repeatsPrompt?: boolean;
  /** Its answers are pieces of one, or turns in one. */
  readonly gathering?: Gathering;
  /** A text of its messages may be JSON of what was said. */
  readonly nestsMessages?: boolean;
  /** A run whose answer is an object ends with the call of a tool that is named after the object's class. */
  readonly endsWithObject?: boolean;
};

/** Instrumentations that hide the calls of tools: of LlamaIndex for TypeScript, in which a user says the results. */
const HIDING_SCOPES: ReadonlySet<string> = new Set(['@traceloop/instrumentation-llamaindex']);
/** Instrumentations that write what is no text as JSON: OpenLLMetry's and Sentry's for Node. */
const NESTING_SCOPES = /^@(?:traceloop\/instrumentation-|sentry\/)/;
/** Instrumentations of what gives back a text with its prompt, as the pipelines of Transformers do by default. */
const REPEATING_SCOPES: ReadonlySet<string> = new Set(['opentelemetry.instrumentation.transformers']);
/** Instrumentations that say of a tool of OpenAI's server, such as a search, that it ended the answer. */
const SHOWING_SCOPES: ReadonlySet<string> = new Set(['opentelemetry.instrumentation.openai.v1']);
/** Instrumentations of agents of LangChain, of which they keep what a model said last. */
const OBJECT_SCOPES: ReadonlySet<string> = new Set(['opentelemetry.instrumentation.genai.langchain']);

/**
 * The places of an item: its own attributes first, then its events in their order. To a log record the members of its
 * body belong too, or its body as `body`, and an attribute comes before a member of the same name; one that is an event
 * is a place of its name as well.
 */
export function placesOf(item: OtlpItem): readonly Place[] {
  if (item.kind === 'span') {
    const areCallsHidden = HIDING_SCOPES.has(item.scope.name);
    const repeatsPrompt = REPEATING_SCOPES.has(item.scope.name.replace(/\.text_generation_pipeline_wrapper$/, ''));
    const gathering = gatheringOf(item.scope.name);
    const nestsMessages = NESTING_SCOPES.test(item.scope.name);
    const lookup = new AttributeLookup(item.attributes);
    const own: Place = {
      event: null,
      lookup,
      ...(areCallsHidden && { areCallsHidden }),
      ...(SHOWING_SCOPES.has(item.scope.name) && { showsCalls: true }),
      ...(repeatsPrompt && { repeatsPrompt }),
      ...(nestsMessages && { nestsMessages }),
      ...(gathering !== undefined && { gathering }),
      ...(OBJECT_SCOPES.has(item.scope.name) && { endsWithObject: true }),
    };
    const events = item.events.map(({ name, attributes }) => {
      return { event: name, lookup: new AttributeLookup(attributes) };
    });
    return [own, ...events];
  }
  const known = new Set(item.attributes.map(({ key }) => key));
  const more = bodyMembers(item).filter(({ key }) => !known.has(key));
  const lookup = new AttributeLookup([...item.attributes, ...more]);
  const event = eventNameOf(item);
  return event === null
    ? [{ event, lookup }]
    : [
        { event: null, lookup },
        { event, lookup },
      ];
}

/** The name of the event that a log record is; before `event_name` was a field of its own it was an attribute. */
export function eventNameOf(item: OtlpLogRecord): string | null {
  if (item.eventName !== '') return item.eventName;
  const name = findSingle(item.attributes, 'event.name');
  return typeof name === 'string' && name !== '' ? name : null;
}

/** The body of a log record as attributes. */
export function bodyMembers({ body }: OtlpLogRecord): readonly Attribute[] {
  if (body === null) return [];
  return isAttributeMap(body) ? body.members : [{ key: 'body', value: body }];
}
