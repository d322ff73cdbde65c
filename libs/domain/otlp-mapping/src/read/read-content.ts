import type { JsonValue, TextOrHash } from '@answer-evidence/contracts';
import type { ContentRule } from '../dialects/content-rule.ts';
import { ASSEMBLING, CONTENT_RULES, INSTRUCTION_KEYS, PROMPT_VARIABLES, RUNS } from '../dialects/tables.ts';
import { readHash, readText } from '../item/field-forms.ts';
import { readJsonText } from '../item/json-value.ts';
import type { AttributeValue } from '../item/otlp-item.ts';
import { isPrinted, isPrintedList } from '../item/python-literals.ts';
import { Rejection } from '../item/rejection.ts';
import { isChore } from './chores.ts';
import { asCompletions, isOfSeveralPrompts } from './completions.ts';
import { createCheck } from './conditions.ts';
import { readExchange } from './exchanges.ts';
import { asksForJson, isInstructedStep, isRewriting, readFilled, readJsonFields } from './filled-prompts.ts';
import { readFlattenedMessages } from './flattened-messages.ts';
import { findMessagesInState } from './framework-state.ts';
import { isInstructedChore, judgeText, type Seen } from './judge-text.ts';
import { isLeftOut } from './left-out.ts';
import { type Message, selectAnswer, selectLastAnswer, selectQuestion, selectToolCalls } from './messages.ts';
import type { Place } from './places.ts';
import { findPrintedQuestion } from './question-text.ts';
import { isState, readState, readValue } from './read-value.ts';
import { isResumption } from './resumption.ts';
import { rulesThere } from './rules-there.ts';
import { isSkipped } from './skipped-rules.ts';
import { type ToolCall, UNKNOWN_CALL } from './tool-calls.ts';

/** What an item says was asked and answered; null where it says nothing of it. */
export type Content = {
  readonly question: TextOrHash | null;
  readonly answer: TextOrHash | null;
  /** There is no answer, and a framework's state that may hold one, at a place that no rule names. */
  readonly hasUnreadState: boolean;
  /** The question is a prompt that variables were filled into. */
  readonly isPrompt?: boolean;
  /** Hashes of the objects in the state of what calls models, of which one may be its answer. */
  readonly objects?: readonly string[];
  /** Names of the texts in a state that names no answer, of which one may be it. */
  readonly shown?: readonly string[];
  /** Names of the sentences of such a state that it was not given: calls of models may have written them, or not. */
  readonly made?: readonly string[];
  /** The answer is what a workflow shows as its message, which may be put together of more than was said. */
  readonly isAssembled?: boolean;
  /** It shows the results of several runs, each of which has an answer of its own. */
  readonly hasSeveralResults?: boolean;
  /** It is a call by which an application makes a title, tags or a summary of a conversation. */
  readonly isChore?: boolean;
  /** It has no question, since what stands in the place of one is what nobody said. */
  readonly isUnsaid?: true;
  /** It has no answer, since what stands in the place of one is what nobody was told. */
  readonly isUntold?: true;
  /** It has no question, since the rules of its application look for one where no text is; nobody else's is its. */
  readonly isUnfound?: true;
  /** The answer is a question, which a model rewrote for a search. */
  readonly isRewritten?: boolean;
};

/** Reads question and answer by the rules of the table. `own` is the place of the item itself. Throws `Rejection`. */
export function readContent(own: Place, places: readonly Place[]): Content {
  // A kind with two values refuses the item, whatever its rule reads.
  return readBy(own.lookup.isContested ? CONTENT_RULES : rulesThere(places), own, places);
}

/** Reads by these rules. Those that find nothing change nothing. Throws `Rejection`. */
export function readBy(rules: readonly ContentRule[], own: Place, places: readonly Place[]): Content {
  const ruled: Record<ContentRule['to'], TextOrHash | null> = { question: null, answer: null };
  let hasState = false;
  let isPrompt = false;
  let isAssembled = false;
  let hasSeveralResults = false;
  const seen: Seen = {
    isRewriting: INSTRUCTION_KEYS.some((key) => isInstructedStep(own.lookup.peek(key))),
    asksForJson: false,
    isChore: isInstructedChore(own),
    isUnsaid: false,
    isUntold: false,
  };
  for (const rule of rules) {
    const known = ruled[rule.to];
    // A hash completes the text of the same convention; every other rule only fills what is empty.
    if (known !== null && !(rule.form === 'hash' && known.hash === undefined)) continue;
    if (isSkipped(rule, own)) continue;
    const shown = readRule(rule, own, places, seen);
    hasSeveralResults ||= rule.to === 'answer' && rule.form === 'messages' && isPrintedList(shown?.text ?? '');
    const found = judgeText(withoutState(shown, rule, own), rule, seen);
    // An unknown convention may show its first message once more, under a known name.
    if (rule.to === 'question' && rule.isMark !== true && isInstruction(found, own)) continue;
    if (found !== undefined) {
      ruled[rule.to] = { ...known, ...found };
      if (rule.to === 'question') isPrompt = rule.form === 'messages' && hasVariables(own);
      else isAssembled = rule.form === 'messages' && mayBeAssembled(found, own);
    } else hasState ||= isStateOfAnswer(rule) && isThere(own.lookup.find(rule.key));
  }
  ruled.question ??= findResumed(rules, own, seen);
  const field = seen.asksForJson ? readJsonFields(ruled.answer?.text ?? '') : undefined;
  if (field !== undefined) ruled.answer = { text: field };
  const content = { ...ruled, hasUnreadState: (hasState || isOfSeveralPrompts(own)) && ruled.answer === null };
  return {
    ...content,
    ...(isPrompt && { isPrompt }),
    ...(isAssembled && { isAssembled }),
    ...(seen.isRewriting && { isRewritten: true }),
    ...(seen.isChore && { isChore: true }),
    ...(seen.isUnsaid && content.question === null && { isUnsaid: true }),
    ...(seen.isUntold && content.answer === null && { isUntold: true }),
    ...(hasSeveralResults && content.answer === null && { hasSeveralResults }),
  };
}

/** What a graph was asked that goes on with what a person decided: its state has it from before. */
function findResumed(rules: readonly ContentRule[], own: Place, seen: Seen): TextOrHash | null {
  const states = rules.filter(({ form, event }) => form === 'state' && event === null);
  const asked = states.find(({ to, key }) => to === 'question' && isResumption(own.lookup.peek(key) ?? null));
  const state = states.find(({ to, convention }) => to === 'answer' && convention === asked?.convention);
  const value = state === undefined ? undefined : own.lookup.peek(state.key);
  const text = typeof value === 'string' ? readState(value, 'question') : undefined;
  if (text === undefined || state === undefined) return null;
  return judgeText({ text: readText(text, state.key) }, { ...state, to: 'question' }, seen) ?? null;
}

/** Whether a rule reads the state of an item itself, in which an answer may hide. */
function isStateOfAnswer({ to, form, event }: ContentRule): boolean {
  return to === 'answer' && form === 'state' && event === null;
}

function isThere(value: AttributeValue | undefined): boolean {
  return value !== undefined && !(typeof value === 'string' && isLeftOut(value));
}

/** Whether a run may show more than was said: the message of a workflow, or a state as the message of an agent. */
function mayBeAssembled({ text }: TextOrHash, own: Place): boolean {
  return isAssembling(own) || (text !== undefined && isRun(own) && isState(text));
}

/** Whether a text is that of a flattened message, under whatever name, of somebody who instructs the model. */
function isInstruction(found: TextOrHash | undefined, { lookup }: Place): boolean {
  const text = found?.text;
  if (text === undefined) return false;
  return lookup.keys().some((key) => {
    if (!key.endsWith('.role') || lookup.peek(key.replace(/role$/, 'content')) !== text) return false;
    const role = lookup.peek(key);
    return typeof role === 'string' && /^(?:system|developer)$/i.test(role);
  });
}

function hasVariables({ lookup }: Place): boolean {
  return lookup.keys().some((key) => PROMPT_VARIABLES.some((prefix) => key.startsWith(prefix)));
}

function readRule(rule: ContentRule, own: Place, places: readonly Place[], seen: Seen): TextOrHash | undefined {
  const found: (readonly Message[])[] = [];
  for (const place of places) {
    if (place.event !== rule.event) continue;
    // An event may have the tools that are asked for beside the text.
    if (rule.to === 'answer' && rule.event !== null && place.lookup.peek('toolCalls') !== undefined) continue;
    if (rule.indexed !== undefined) {
      found.push(readFlattenedMessages(rule.indexed, place));
      continue;
    }
    const value = place.lookup.find(rule.key);
    if (value === undefined) continue;
    if (rule.form === 'text') return { text: readText(value, rule.key) };
    if (rule.form === 'hash') return { hash: readHash(value, rule.key) };
    found.push(readValue(rule, value, place));
  }
  // Not by spreading: a megabyte of JSON holds more messages than a call takes arguments.
  const messages = withoutServerCalls(asCompletions(found.flat(), rule, own), own);
  const said = rule.to === 'question' ? selectQuestion(messages, own.areCallsHidden) : answerOf(rule, own, messages);
  const text = said === undefined ? undefined : readFilled(said, rule.to);
  seen.isRewriting ||= rule.to === 'question' && said !== undefined && isRewriting(said);
  seen.asksForJson ||= rule.to === 'question' && said !== undefined && asksForJson(said);
  const instructions = messages.filter(({ role }) => role === 'system' || role === 'developer');
  seen.isRewriting ||= instructions.some(({ role, text: one }) => role === 'system' && isInstructedStep(one));
  seen.isChore ||= instructions.some(({ text: one }) => isChore(one));
  // What was filled in may be an object of Python, such as the arguments of a tool.
  if (text !== said && isPrinted(text ?? '')) return undefined;
  return text === undefined || isLeftOut(text) ? undefined : { text: readText(text, rule.key) };
}

function withoutServerCalls(messages: readonly Message[], { showsCalls = false }: Place): readonly Message[] {
  const isHidden = ({ text, toolCalls: [call] }: Message) => text !== '' && call === UNKNOWN_CALL;
  return showsCalls
    ? messages.map((message) => (isHidden(message) ? { ...message, toolCalls: [] } : message))
    : messages;
}

function answerOf({ form }: ContentRule, own: Place, messages: readonly Message[]): string | undefined {
  return form === 'messages' && isRun(own) ? selectLastAnswer(messages) : selectAnswer(messages);
}

const isRun = createCheck(RUNS);
const isAssembling = createCheck(ASSEMBLING);

/** Forms of what cannot ask for a tool. */
const WITHOUT_CALLS: ReadonlySet<ContentRule['form']> = new Set(['text', 'hash', 'string', 'printed', 'flow']);

/**
 * The tools that a model asked for in the messages of an item: in all that it wrote, and in what it was given since the
 * user's last message. What cannot be read is passed over.
 */
export function findToolCalls(own: Place, places: readonly Place[]): readonly ToolCall[] {
  const calls: ToolCall[] = [];
  for (const rule of rulesThere(places)) {
    if (WITHOUT_CALLS.has(rule.form)) continue;
    try {
      if (isSkipped(rule, own)) continue;
      const messages: Message[] = [];
      for (const place of places)
        if (place.event === rule.event) for (const message of readCalls(rule, place)) messages.push(message);
      if (messages.length > 0) for (const call of selectToolCalls(messages)) calls.push(call);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
    }
  }
  return calls;
}

/** The rules for an item that are not skipped, with the places they are about. */
export function readRules(to: ContentRule['to'], own: Place, places: readonly Place[]) {
  return rulesThere(places)
    .filter((rule) => rule.to === to && !WITHOUT_CALLS.has(rule.form) && !isSkipped(rule, own))
    .map((rule) => ({ rule, there: places.filter(({ event }) => event === rule.event) }));
}

/** The messages at a place that may ask for a tool; most do not, and are not parsed again. */
export function readCalls(rule: ContentRule, place: Place): readonly Message[] {
  if (rule.indexed !== undefined) return readFlattenedMessages(rule.indexed, place);
  const value = place.lookup.find(rule.key);
  if (value === undefined) return [];
  if (typeof value === 'string' && !/tool|function/i.test(value)) return [];
  const state = typeof value === 'string' ? parseState(rule.form, value) : undefined;
  if (state !== undefined) return findMessagesInState(state, rule.to);
  return rule.form === 'state' ? [] : readValue(rule, value, place);
}

/** The JSON of a state, or of a request or response as a whole, which stands in the place of messages. */
function parseState(form: ContentRule['form'], text: string): JsonValue | undefined {
  if (form === 'messages_or_text') return readExchange(text);
  const read = form === 'state' ? readJsonText(text, 'loose') : undefined;
  return read?.kind === 'json' ? read.value : undefined;
}

/**
 * What a rule found; of a state that a run shows as a message, the text at a place of it, if it names one; nothing of
 * an object of Python that a run shows as one.
 */
function withoutState(
  found: TextOrHash | undefined,
  { to, form, key }: ContentRule,
  own: Place,
): TextOrHash | undefined {
  if (form !== 'messages' || found?.text === undefined) return found;
  if (isPrinted(found.text) && isRun(own))
    return to === 'question' ? textOf(findPrintedQuestion(found.text)) : undefined;
  const isOfWorkflow = isAssembling(own);
  if (!isState(found.text) || !(isOfWorkflow || (to === 'question' && isRun(own)))) return found;
  const text = readState(found.text, to);
  // A chain that is given a stream shows nothing of it.
  if (text === '') return undefined;
  // Somebody may have asked an agent with JSON of another form.
  if (text === undefined) return isOfWorkflow || /^\s*(?:\{\s*\}|\[\s*\])\s*$/.test(found.text) ? undefined : found;
  return { text: readText(text, key) };
}

function textOf(text: string | undefined): TextOrHash | undefined {
  return text === undefined ? undefined : { text };
}
