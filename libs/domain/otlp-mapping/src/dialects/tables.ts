import type { Condition } from './condition.ts';
import type { ContentRule } from './content-rule.ts';
import type { Dialect, ModelMember, ToolRule } from './dialect.ts';
import type { DocumentRule } from './document-rule.ts';
import { DIALECTS } from './order.ts';
import type { Template } from './template.ts';

/** What all dialects say of something, in their order. */
function all<T>(of: (dialect: Dialect) => readonly T[] | undefined): readonly T[] {
  return DIALECTS.flatMap((dialect) => of(dialect) ?? []);
}

/** Those that come last behind the others. */
function lastBehind<T extends { readonly isLast?: true }>(rules: readonly T[]): readonly T[] {
  return [...rules.filter(({ isLast = false }) => !isLast), ...rules.filter(({ isLast = false }) => isLast)];
}

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
export const NAMED_RUNS = all(({ namedRun }) => (namedRun === undefined ? [] : [namedRun]));

/** Spans that are one call of a model. */
export const MODEL_CALLS: readonly Condition[] = all(({ modelCalls }) => modelCalls);

/** What else calls models, and so has contents if they are sent. */
export const CALLERS: readonly Condition[] = all(({ callers }) => callers);

/** Spans that say by an attribute, and not by their status, that they ended with an error. */
export const FAILURES: readonly Condition[] = all(({ failures }) => failures);

/** What says that a run stopped to ask a person. */
export const PAUSES = all(({ pauses }) => (pauses === undefined ? [] : [pauses]));

/** Attributes that have the words of the error that a span ended with. */
export const ERROR_WORDS: readonly string[] = all(({ errorWords }) => errorWords);

/** Where runs of tools are named. Of their arguments only the hash is taken. */
export const TOOL_RULES: readonly ToolRule[] = lastBehind(all(({ tools }) => tools));

/** Where retrieved documents stand. */
export const DOCUMENT_RULES: readonly DocumentRule[] = lastBehind(all(({ documents }) => documents));

/** An item with one of these searched in a store of vectors. */
export const VECTOR_SEARCHES: readonly string[] = all(({ vectorSearches }) => vectorSearches);

/** Prompts into which frameworks fill a question. */
export const TEMPLATES: readonly Template[] = all(({ templates }) => templates);

/** What frameworks append to a question. */
export const APPENDED: readonly string[] = all(({ appended }) => appended);

/** What frameworks say in the name of the user. */
export const FEEDBACK: readonly RegExp[] = all(({ feedback }) => feedback);

/** What stands in the instructions by which a model works for a framework, and not for a person. */
export const STEP_INSTRUCTIONS: readonly string[] = all(({ instructions }) => instructions);

/** Whose model gives back a text as a list of its pieces. */
export const IN_PIECES: readonly Condition[] = all(({ pieces }) => (pieces === undefined ? [] : [pieces]));

/** Names of the conventions that calls of models and agents are described with. */
export const PREFIXES: readonly string[] = all(({ prefixes }) => prefixes);

/** What only a call or a run has, whatever its kind is. */
export const CALL_PREFIXES: readonly string[] = all(({ callPrefixes }) => callPrefixes);

const ids = lastBehind(all(({ ids: of }) => (of === undefined ? [] : [of])));

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
