import type { TextOrHash } from '@answer-evidence/contracts';
import type { ContentRule } from '../dialects/content-rule.ts';
import { CONTENT_RULES, INSTRUCTION_KEYS } from '../dialects/tables.ts';
import { readJsonText } from '../item/json-value.ts';
import type { AttributeValue } from '../item/otlp-item.ts';
import { isPrinted } from '../item/python-literals.ts';
import { findAnswerIn } from './answer-text.ts';
import { isChore, isChorePrompt } from './chores.ts';
import { isRewriting, readFilled } from './filled-prompts.ts';
import { findMessagesInState } from './framework-state.ts';
import { readMessages } from './messages.ts';
import type { Place } from './places.ts';
import { findQuestionIn } from './question-text.ts';
import { findSaid } from './rendered-chat.ts';

/** What was found out beside the texts. */
export type Seen = {
  isRewriting: boolean;
  asksForJson: boolean;
  isChore: boolean;
  isUnsaid: boolean;
  isUntold: boolean;
};

/**
 * The one judge of every text that a rule found, before it is a question or an answer: of a chat in one text, what its
 * last turn says, if anything. What an application marks stands as it is.
 */
export function judgeText(
  found: TextOrHash | undefined,
  { to, isMark = false }: ContentRule,
  seen: Seen,
): TextOrHash | undefined {
  if (found?.text === undefined || isMark) return found;
  const text = to === 'question' ? judgeQuestion(found.text, seen) : judgeAnswer(found.text, seen);
  return text === found.text ? found : text === undefined ? undefined : { ...found, text };
}

function judgeSaid(text: string, to: ContentRule['to'], seen: Seen): string | undefined {
  const said = findSaid(text, to);
  if (said === text) return text;
  const own = said === undefined ? undefined : readFilled(said, to);
  seen.isRewriting ||= to === 'question' && said !== undefined && isRewriting(said);
  return own === undefined || own === '' || isPrinted(own) ? undefined : own;
}

/** What a person was told in a text, which may stand in an object. */
function judgeAnswer(text: string, seen: Seen): string | undefined {
  const said = judgeSaid(text, 'answer', seen);
  const told = said === undefined ? undefined : findAnswerIn(said);
  const own = told === undefined || told === said ? told : judgeSaid(told, 'answer', seen);
  seen.isUntold ||= own === undefined;
  return own;
}

/** What a person asked in a text, which may stand in a chat within an object, or the other way round. */
function judgeQuestion(text: string, seen: Seen): string | undefined {
  seen.isChore ||= isChorePrompt(text);
  const said = judgeSaid(text, 'question', seen);
  const asked = said === undefined ? undefined : findQuestionIn(said);
  const own = asked === undefined || asked === said ? asked : judgeSaid(asked, 'question', seen);
  seen.isUnsaid ||= own === undefined;
  return own;
}

/** Instructions of a chore, in an attribute of their own or in the state that a call shows as its messages. */
export function isInstructedChore({ lookup }: Place): boolean {
  const given = INSTRUCTION_KEYS.map((key) => lookup.peek(key)).find((value) => value !== undefined);
  const isInstructed = typeof given === 'string' && isChore(readMessages(given)[0]?.text ?? '');
  return isInstructed || lookup.keys().some((key) => STATE_KEYS.has(key) && hasChore(lookup.peek(key)));
}

/** What of a state is looked at for the word by which a chore is known, and for the role of who instructs. */
const HINT_LENGTH = 4_096;

function hasChore(value: AttributeValue | undefined): boolean {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return false;
  const begin = value.slice(0, HINT_LENGTH);
  if (!/system|developer/i.test(begin) || !/title|tags|summar/i.test(begin)) return false;
  const read = readJsonText(value, 'loose');
  if (read.kind !== 'json') return false;
  return findMessagesInState(read.value, 'question').some(({ role, text }) => role === 'system' && isChore(text));
}

/** Attributes in which a state may have the messages of a call. */
const STATE_KEYS: ReadonlySet<string> = new Set(
  CONTENT_RULES.flatMap(({ to, form, event, key }) =>
    to === 'question' && form === 'state' && event === null ? [key] : [],
  ),
);
