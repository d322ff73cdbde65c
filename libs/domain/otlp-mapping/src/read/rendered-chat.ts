import { BEGINNING, FAMILIES, type Family, MARK_HINT, UNKNOWN_CHAT } from '../dialects/chat-families.ts';
import type { ContentRule } from '../dialects/content-rule.ts';

/** No mark has more characters. */
const MARK_MAX = 128;

type Role = 'system' | 'instruction' | 'user' | 'assistant' | 'other';
type Turn = { readonly role: Role; readonly text: string };

const ROLES: Readonly<Record<string, Role>> = {
  system: 'system',
  developer: 'system',
  instruction: 'instruction',
  instructions: 'instruction',
  user: 'user',
  human: 'user',
  input: 'user',
  question: 'user',
  query: 'user',
  q: 'user',
  prompter: 'user',
  '[inst]': 'user',
  '[system_prompt]': 'system',
  assistant: 'assistant',
  ai: 'assistant',
  bot: 'assistant',
  model: 'assistant',
  response: 'assistant',
  answer: 'assistant',
  a: 'assistant',
  gpt: 'assistant',
  chatbot: 'assistant',
  '[/inst]': 'assistant',
};

/** So many chats stand within each other at the most. */
const DEPTH_MAX = 3;

/**
 * What somebody said in a text: all of it, or, of a chat that was rendered into one text, its last turn of the user, or
 * of the model for an answer. Undefined of a chat that cannot be split by its own marks.
 */
export function findSaid(text: string, to: ContentRule['to'], depth = 0): string | undefined {
  const trimmed = withoutBeginning(text);
  const hasBegun = trimmed.length < text.trim().length;
  for (const family of hasBegun || mayBeChat(trimmed) ? FAMILIES : NONE) {
    const turns = readTurns(trimmed, family, hasBegun);
    if (turns === undefined || !isChat(turns, family, to)) continue;
    const said = to === 'question' ? findAsked(turns, family) : findAnswered(turns);
    // Its end stands in the middle of no turn.
    if (said === undefined || said === '' || family.ends.some((end) => said.includes(end))) return undefined;
    return depth < DEPTH_MAX ? findSaid(said, to, depth + 1) : undefined;
  }
  return hasBegun || UNKNOWN_CHAT.test(trimmed) ? undefined : text;
}

const NONE: readonly Family[] = [];

/** Whether a text may begin with a mark, or have one at its end; of most, that is known by the first look. */
function mayBeChat(text: string): boolean {
  return MARK_HINT.test(text.slice(0, MARK_MAX)) || MARK_HINT.test(text.slice(-MARK_MAX));
}

function withoutBeginning(text: string): string {
  return text.trim().replace(BEGINNING, '').trimStart();
}

/** The turns of a text that begins with a mark, or that ends with the open turn of a model; undefined of another. */
function readTurns(text: string, { marks, isOfWords = false, ends, needs }: Family, hasBegun: boolean) {
  // Most texts are no chats, and need not be searched as a whole.
  const mayBeOpen = text.slice(-MARK_MAX).search(marks) >= 0;
  if (text.slice(0, MARK_MAX).search(marks) !== 0 && !mayBeOpen && !hasBegun) return undefined;
  const found = [...text.matchAll(marks)].map((match) => ({ at: match.index, mark: match[0], name: match[1] ?? '' }));
  const [first] = found;
  const last = found.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const isOpen = roleOf(last.name) === 'assistant' && last.at + last.mark.length === text.length;
  if ((first.at > 0 && !isOpen && !hasBegun) || (needs === 'open turn' && !isOpen)) return undefined;
  // A person's own lines may begin with a role that is written in another way.
  const style = isCapital(first.at > 0 ? last.name : first.name);
  const own = isOfWords ? found.filter(({ name }) => isCapital(name) === style) : found;
  const turns = own.map(({ at, mark, name }, n): Turn => {
    return { role: roleOf(name), text: withoutEnd(text.slice(at + mark.length, own[n + 1]?.at).trim(), ends) };
  });
  const before = text.slice(0, own[0]?.at);
  return before === '' ? turns : [{ role: 'system', text: before } as const, ...turns];
}

function roleOf(name: string): Role {
  return ROLES[name.toLowerCase()] ?? 'other';
}

function isCapital(name: string): boolean {
  return name.charAt(0) !== name.charAt(0).toLowerCase();
}

function withoutEnd(text: string, ends: readonly string[]): string {
  const end = ends.find((one) => text.endsWith(one));
  return end === undefined ? text : text.slice(0, -end.length).trim();
}

function isChat(turns: readonly Turn[], { isOfWords = false, needs }: Family, to: ContentRule['to']): boolean {
  if (!isOfWords) return true;
  const isAlone = turns.length === 1;
  const isInstructed = turns[0]?.role === 'system' || (turns[0]?.role === 'instruction' && !isAlone);
  // A model that is asked for a dialogue, or for what a system is, may begin so.
  if (to === 'answer') return isInstructed && turns.some(({ role }) => role === 'user');
  return isInstructed || (!isAlone && needs !== 'instructions');
}

function findAsked(turns: readonly Turn[], { mergesInstructions = false }: Family): string | undefined {
  const known = turns.some(({ role }) => role === 'user') ? turns : turns.map(asRequest);
  const at = known.findLastIndex(({ role }) => role === 'user');
  const asked = known[at];
  if (asked === undefined) return undefined;
  // What follows is of the model or its tools; else a line of the question itself may have been taken for a mark.
  if (known.slice(at + 1).some(({ role }) => role === 'system' || role === 'instruction')) return undefined;
  const isFirst = !known.slice(0, at).some(({ role }) => role === 'user' || role === 'system');
  return mergesInstructions ? withoutInstructions(asked.text, isFirst) : asked.text;
}

/** An instruction is what a person asks only where other instructions stand before it. */
function asRequest(turn: Turn, n: number, turns: readonly Turn[]): Turn {
  const isAsked = n > 0 && turns[n - 1]?.role === 'system';
  return turn.role === 'instruction' && isAsked ? { ...turn, role: 'user' } : turn;
}

/** The first turn without instructions between marks; undefined where there may be some without marks. */
function withoutInstructions(text: string, isFirst: boolean): string | undefined {
  const end = text.lastIndexOf('<</SYS>>');
  if (end >= 0) return text.startsWith('<<SYS>>') ? text.slice(end + '<</SYS>>'.length).trim() : undefined;
  return text.includes('<<SYS>>') || (isFirst && /\n\r?\n/.test(text)) ? undefined : text;
}

function findAnswered(turns: readonly Turn[]): string | undefined {
  const last = turns.at(-1);
  return last?.role === 'assistant' ? last.text : undefined;
}
