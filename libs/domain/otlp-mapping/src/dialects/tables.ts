import type { Condition } from './condition.ts';
import type { ContentRule } from './content-rule.ts';
import { all, each, lastBehind } from './derive.ts';
import type { MessageEvent, ModelMember, ToolRule } from './dialect.ts';
import type { DocumentRule } from './document-rule.ts';

/** Where texts are looked for, first match wins. */
export const CONTENT_RULES: readonly ContentRule[] = [
  ...all(({ contents }) => contents?.filter(({ to }) => to === 'question')),
  ...all(({ contents }) => contents?.filter(({ to }) => to === 'answer')),
];

/** What judges a question or an answer. */
export const CHECKS: readonly Condition[] = all(({ checks }) => checks);

/** What runs below these answers nobody if there is another answer; a check is one of them. */
export const ASIDES: readonly Condition[] = [...CHECKS, ...all(({ asides }) => asides)];

/** One run of an agent. */
export const RUNS: readonly Condition[] = all(({ runs }) => runs);

/** Runs that a span's instrumentation and name alone tell. */
export const NAMED_RUNS = each(({ namedRun }) => namedRun);

/** Spans that are one call of a model. */
export const MODEL_CALLS: readonly Condition[] = all(({ modelCalls }) => modelCalls);

/** What else calls models, and so has contents if they are sent. */
export const CALLERS: readonly Condition[] = all(({ callers }) => callers);

/** Spans that say by an attribute, and not by their status, that they ended with an error. */
export const FAILURES: readonly Condition[] = all(({ failures }) => failures);

/** What says that a run stopped to ask a person. */
export const PAUSES = each(({ pauses }) => pauses);

/** Attributes that have the words of the error that a span ended with. */
export const ERROR_WORDS: readonly string[] = all(({ errorWords }) => errorWords);

/** Where runs of tools are named. Of their arguments only the hash is taken. */
export const TOOL_RULES: readonly ToolRule[] = lastBehind(all(({ tools }) => tools));

/** Where retrieved documents stand. */
export const DOCUMENT_RULES: readonly DocumentRule[] = lastBehind(all(({ documents }) => documents));

/** An item with one of these searched in a store of vectors. */
export const VECTOR_SEARCHES: readonly string[] = all(({ vectorSearches }) => vectorSearches);

/** Whose model gives back a text as a list of its pieces. */
export const IN_PIECES: readonly Condition[] = each(({ pieces }) => pieces);

/** Names of the conventions that calls of models and agents are described with. */
export const PREFIXES: readonly string[] = all(({ prefixes }) => prefixes);

/** What only a call or a run has, whatever its kind is. */
export const CALL_PREFIXES: readonly string[] = all(({ callPrefixes }) => callPrefixes);

const ids = lastBehind(each(({ ids: of }) => of));

/**
 * Where ids of people and sessions come from, in their order. Only hashes of them are kept, and only where the
 * workspace wants them; a hash that the sender made comes first.
 */
export const NAMED_ID_RULES: Readonly<Record<'actor' | 'session', readonly string[]>> = {
  actor: ids.flatMap(({ actor = [] }) => actor),
  session: ids.flatMap(({ session = [] }) => session),
};

const ofModel = (member: ModelMember): readonly string[] => all(({ model }) => model?.[member]);

/** Members of the semantic ref that says what model answered, and the attributes they come from, in their order. */
export const MODEL_RULES: Readonly<Record<ModelMember, readonly string[]>> = {
  operation: ofModel('operation'),
  provider: ofModel('provider'),
  request_model: ofModel('request_model'),
  response_model: ofModel('response_model'),
  finish_reasons: ofModel('finish_reasons'),
};

/** Log events that are one message of a conversation each: those of one span are read together. */
export const MESSAGE_EVENTS: readonly MessageEvent[] = all(({ messageEvents }) => messageEvents);

/** Events that describe a call as a whole, or one half of it. */
export const CALL_EVENTS: readonly string[] = each(({ callEvent }) => callEvent);

/** Where the messages stand that a call was given, and those that it gave back. */
export const CONVERSATIONS = each(({ conversation }) => conversation);

/** Attributes that have the instructions of a call. */
export const INSTRUCTION_KEYS: readonly string[] = all(({ instructionKeys }) => instructionKeys);

/** How attributes begin that have variables which a prompt was filled with. */
export const PROMPT_VARIABLES: readonly string[] = each(({ promptVariables }) => promptVariables);

/** What may show its state, in JSON, as the text of a message. */
export const ASSEMBLING: readonly Condition[] = all(({ assembling }) => assembling);

/** Searches, whether or not they show what they found. */
export const SEARCHES = each(({ searches }) => searches);

/** Attributes that have what a store of vectors was searched for. */
export const SEARCHED: readonly string[] = all(({ searched }) => searched);

/** The calls that frameworks make for themselves, which answer nobody. */
export const OWN_CALLS = each(({ ownCalls }) => ownCalls);

/** How attributes begin that have metadata, and attributes that have all of it in JSON. */
export const METADATA_PREFIXES: readonly string[] = each(({ metadataPrefix }) => metadataPrefix);
export const METADATA_KEYS: readonly string[] = each(({ metadataKey }) => metadataKey);

/** Calls and agents that another trace shows as a whole. */
export const SHOWN_ELSEWHERE = each(({ shownElsewhere }) => shownElsewhere);

/** Log records without a trace, and what says which of them are of one request. */
export const THREADS = each(({ threads }) => threads);

/** Steps that end a run by what they say in the place of a model. */
export const ENDINGS = each(({ endings }) => endings);

/** Errors that say nothing of the span that has them. */
export const STALE_ERRORS = each(({ staleErrors }) => staleErrors);

/** Names of spans that are runs of tools: the group is the name of the tool. */
export const TOOL_SPANS: readonly RegExp[] = all(({ toolSpans }) => toolSpans);

/** Names of what shows the results of several runs of tools once more. */
export const MERGED_TOOLS: readonly string[] = each(({ mergedTools }) => mergedTools);

/** Calls with several prompts, and a completion for each. */
export const SEVERAL_PROMPTS = each(({ severalPrompts }) => severalPrompts);

/** Flattened attributes that are read. Others that begin like them are dropped. */
export const LISTED_PATTERNS: readonly RegExp[] = all(({ listed }) => listed);

/** Words that what is built on models has in its names. */
export const MODEL_WORDS: readonly RegExp[] = all(({ modelWords }) => modelWords);
