import type { OtlpApplicationRules, OtlpNever, OtlpPlace, OtlpRules, OtlpTexts } from '@answer-evidence/contracts';
import { type ContentRule, rule } from '../dialects/content-rule.ts';
import { MODEL_CALLS } from '../dialects/tables.ts';
import { readText } from '../item/field-forms.ts';
import type { OtlpItem, OtlpResource } from '../item/otlp-item.ts';
import { nameText } from '../item/prompts.ts';
import { isRefusal, refusable, type Refusal } from '../item/refusal.ts';
import { createCheck } from '../read/conditions.ts';
import { readFilled } from '../read/filled-prompts.ts';
import { findInstructions } from '../read/instructions.ts';
import { type ItemFields, readFields, readResourceFields, type ResourceFields } from '../read/item-fields.ts';
import { judgeText } from '../read/judge-text.ts';
import { isLeftOut } from '../read/left-out.ts';
import { type Place, placesOf } from '../read/places.ts';
import { type Content, readContent } from '../read/read-content.ts';
import type { ReducedItem } from '../read/reduced-item.ts';
import { matchesRule } from './judge-item.ts';
import { findTextAt } from './place-text.ts';
import { createFactsOf, type FactsOf } from './rule-facts.ts';

/** The rules of an application that say where its texts stand, and what is never an answer. */
export type TextRules = Pick<OtlpApplicationRules, 'application_key'> & OtlpTexts;

/** Those of all applications that have some. They are plain data: equal ones are equal as JSON. */
export function textRulesOf(rules: OtlpRules): readonly TextRules[] {
  return rules.flatMap(({ application_key, question, answer, never }): TextRules[] => {
    const isNone = question === undefined && answer === undefined && never === undefined;
    return isNone ? [] : [{ application_key, question, answer, never }];
  });
}

/** The attributes that the rules of an application read. */
export function namedBy({ question = [], answer = [] }: TextRules): ReadonlySet<string> {
  return new Set([...question, ...answer].map(({ attribute }) => attribute));
}

/**
 * Items as the rules of their applications read them. Where an item has an attribute that they name for a question or
 * an answer, that half is read at their places alone: if none of these has a text, the item has none, and what is below
 * it answers nobody. What they do not name is read as before, and marked items are as they were.
 */
export function readByRules(
  items: readonly OtlpItem[],
  reduced: readonly ReducedItem[],
  rules: readonly TextRules[],
): readonly ReducedItem[] {
  const byApplication = new Map(rules.map((one) => [one.application_key, one]));
  if (byApplication.size === 0) return reduced;
  const factsOf = createFactsOf();
  const fieldsOf = createFieldsOf();
  return reduced.map((made, n) => {
    const item = items[n];
    const of = made.applicationKey === null ? undefined : byApplication.get(made.applicationKey);
    if (item === undefined || of === undefined || made.marked || !made.mayAnswer || made.hasFailed) return made;
    const places = placesOf(item);
    const own = places.find(({ event }) => event === null);
    if (own === undefined) return made;
    const read = readTexts({ item, made, own, places, of, factsOf, fields: () => fieldsOf(item, places) });
    return withoutNever(read, of.never ?? [], () => findInstructions(own, places));
  });
}

type Reading = {
  readonly item: OtlpItem;
  readonly made: ReducedItem;
  readonly own: Place;
  readonly places: readonly Place[];
  readonly of: TextRules;
  readonly factsOf: FactsOf;
  readonly fields: () => ItemFields | Refusal;
};

/** A half that the rules read: its text, null where none of their places has one; undefined: no place is there. */
type Half = string | null | undefined;

function readTexts(reading: Reading): ReducedItem {
  const { item, made, own, places, of, fields } = reading;
  const halves = refusable(() => ({
    question: findHalf(reading, of.question ?? [], 'question'),
    answer: findHalf(reading, of.answer ?? [], 'answer'),
  }));
  if (isRefusal(halves)) return withContent(made, halves, { fields: fields(), isModelCall: false });
  const { question, answer } = halves;
  if (question === undefined && answer === undefined) return made;
  if (answer === null) return silenced(made, of.answer ?? []);
  const known = made.answer?.content ?? refusable(() => readContent(own, places));
  const isWhole = question !== undefined && answer !== undefined;
  if (isRefusal(known) && !isWhole) return made;
  const base = isRefusal(known) ? NOTHING : known;
  // What makes a title answers nobody, wherever it writes that.
  if (base.isChore === true) return made;
  const content = contentBy(base, question, answer);
  if (content.answer === null && made.answer === null) {
    const asked = content.question?.text;
    const half = { ...made, asked: asked === undefined ? null : nameText(asked) };
    return mayBeJoined(item) && asked !== undefined
      ? { ...withContent(half, content, { fields: fields(), isModelCall: true }), message: 'other' }
      : half;
  }
  const isModelCall = made.answer?.isModelCall ?? (item.kind === 'log' || isCall(own));
  const read = withContent(made, content, { fields: fields(), isModelCall });
  const isHalf = content.question === null && made.message === null && mayBeJoined(item);
  return isHalf ? { ...read, message: 'choice' } : read;
}

const isCall = createCheck(MODEL_CALLS);
const NOTHING: Content = { question: null, answer: null, hasUnreadState: false };

/** Whether a question and an answer may stand in log records of their own, which their span joins. */
function mayBeJoined({ kind, traceId, spanId }: OtlpItem): boolean {
  return kind === 'log' && traceId !== null && spanId !== null;
}

function contentBy(base: Content, question: Half, answer: Exclude<Half, null>): Content {
  const { isPrompt: _, isUnsaid: __, ...rest } = base;
  const asked: Partial<Content> =
    question === undefined
      ? base
      : { question: question === null ? null : { text: question }, ...(question === null && { isUnfound: true }) };
  if (answer === undefined) return { ...rest, ...asked, answer: base.answer };
  return { question: base.question, ...asked, answer: { text: answer }, hasUnreadState: false };
}

function withContent(
  made: ReducedItem,
  content: Content | Refusal,
  { fields, isModelCall }: { readonly fields: ItemFields | Refusal; readonly isModelCall: boolean },
): ReducedItem {
  const { continued: _, ...rest } = made;
  const asked = isRefusal(content) ? undefined : content.question?.text;
  return {
    ...rest,
    answer: { content, fields, isModelCall, isStep: false },
    asked: asked === undefined ? null : nameText(asked),
    written: [],
    reason: isRefusal(content) || content.answer !== null ? null : made.reason,
  };
}

/** An item that has no answer where the rules look for one: it has nothing to say, and nor has what is below it. */
function silenced(made: ReducedItem, looked: readonly OtlpPlace[]): ReducedItem {
  const { continued: _, ...rest } = made;
  const where = looked.map(({ attribute, path }) => (path === undefined ? attribute : `${attribute} at ${path}`));
  const detail = `the rules of its application look for the answer in ${where.join(' or ')}, and no text is there`;
  const nothing = { answer: null, message: null, asked: null, written: [] };
  return { ...rest, ...nothing, isSilenced: true, reason: 'unread_state', detail };
}

function findHalf({ made, places, factsOf, item }: Reading, looked: readonly OtlpPlace[], to: ContentRule['to']): Half {
  let half: Half;
  for (const place of looked) {
    // A tool or a check has the same attributes, and says nothing to anybody.
    if (place.when === undefined ? made.isAside : !matchesRule(place.when, { ...made, ...factsOf(item) })) continue;
    const there = places.filter(({ event }) => event === (place.event ?? null));
    for (const { lookup } of there) {
      const value = lookup.find(place.attribute);
      if (value === undefined) continue;
      half ??= null;
      const text = judge(findTextAt(value, place, to), place.attribute, to);
      if (text !== undefined) return text;
    }
  }
  return half;
}

/** The judge of every text is asked of these, too. */
function judge(text: string | undefined, attribute: string, to: ContentRule['to']): string | undefined {
  const filled = text === undefined ? undefined : readFilled(text, to);
  if (filled === undefined || isLeftOut(filled)) return undefined;
  const seen = { isRewriting: false, asksForJson: false, isChore: false, isUnsaid: false, isUntold: false };
  const said = judgeText({ text: readText(filled, attribute) }, rule(to, 'rules', attribute, 'string'), seen);
  return said?.text === '' ? undefined : said?.text;
}

/** The item without its texts, if the rules say that it is never an answer. */
function withoutNever(
  item: ReducedItem,
  never: readonly OtlpNever[],
  findInstructed: () => readonly string[],
): ReducedItem {
  const { answer } = item;
  if (never.length === 0 || answer === null || isRefusal(answer.content)) return item;
  const { question, answer: said } = answer.content;
  let instructions: readonly string[] | undefined;
  const at = never.findIndex((one) => {
    if (!begins(question?.text, one.question_begins) || !begins(said?.text, one.answer_begins)) return false;
    const wanted = one.instructions_begin;
    instructions ??= wanted === undefined ? undefined : findInstructed();
    return wanted === undefined || instructions?.some((text) => begins(text, wanted)) === true;
  });
  if (at < 0) return item;
  const detail = `never an answer by item ${at + 1} of never of its application`;
  return { ...item, answer: null, message: null, reason: 'excluded_by_rule', detail };
}

function begins(text: string | undefined, wanted: string | undefined): boolean {
  return wanted === undefined || text?.trimStart().startsWith(wanted) === true;
}

/** The fields of items as they are read of every item. */
function createFieldsOf(): (item: OtlpItem, places: readonly Place[]) => ItemFields | Refusal {
  const resources = new Map<OtlpResource, ResourceFields | Refusal>();
  return (item, places) => {
    const known = resources.get(item.resource) ?? refusable(() => readResourceFields(item.resource));
    resources.set(item.resource, known);
    return isRefusal(known) ? known : refusable(() => readFields(item, places, known));
  };
}
