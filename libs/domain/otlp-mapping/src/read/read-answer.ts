import { MODEL_CALLS } from '../dialects/tables.ts';
import type { OtlpItem } from '../item/otlp-item.ts';
import { nameText } from '../item/prompts.ts';
import { isRefusal, refusable, type Refusal } from '../item/refusal.ts';
import type { WrittenObject } from '../item/written-object.ts';
import { applies } from './conditions.ts';
import { type ItemFields, readFields, type ResourceFields } from './item-fields.ts';
import { withoutJoinedPrompt } from './joined-prompt.ts';
import type { MessageKind } from './message-of.ts';
import { withEnding } from './own-steps.ts';
import type { Place } from './places.ts';
import { type Content, findToolCalls, readContent } from './read-content.ts';
import { findMade, findObjects, findShown, findWritten } from './read-objects.ts';

/** An item that may be an answer. */
type ReducedContent = {
  readonly content: Content | Refusal;
  readonly fields: ItemFields | Refusal;
  /** It is one call of a model, and not what calls models. */
  readonly isModelCall: boolean;
  /** It is no record of its own, by a rule or for what it says: its answer may still be that of a span above it. */
  readonly isStep: boolean;
};

/** What is read of an item's contents; plain data. */
export type ReadTexts = {
  readonly answer: ReducedContent | null;
  /** Names the text of its question, also where it has no answer. */
  readonly asked: string | null;
  /** What it was asked, if it is a call that asks for a tool: the next call may be given the result alone. */
  readonly continued?: string;
  /** Objects that it wrote for tools, if it is the call of a model without an answer. */
  readonly written: readonly WrittenObject[];
};

type ReadAnswer = ReadTexts & {
  /** What it says is of no person: an application makes a title or the like. */
  readonly isChore?: true;
  /** What stands in the place of its answer is what nobody was told. */
  readonly isUntold?: true | undefined;
};

/** What is known of an item before its contents are read. */
type Known = {
  readonly marked: boolean;
  readonly message: MessageKind;
  readonly isRun: boolean;
  readonly resource: { readonly mayAnswer: boolean; readonly fields: ResourceFields | Refusal };
};

/**
 * An item with a question only is no answer: a turn in which a model asks for a tool has none. A message is one part of
 * an answer; the run of an agent has the answer of what is below it.
 */
export function readAnswer(
  item: OtlpItem,
  places: readonly Place[],
  { marked, resource, message, isRun }: Known,
): ReadAnswer {
  const { mayAnswer, fields } = resource;
  if (!marked && !mayAnswer) return NOTHING_READ;
  const own = places.find(({ event }) => event === null);
  const said = refusable(() => readSaid(item, own, places));
  const { content, isModelCall, written } = isRefusal(said) ? { content: said, isModelCall: false, written: [] } : said;
  if (!marked && !isRefusal(content) && content.isChore === true) return { ...NOTHING_READ, isChore: true };
  const isWhole = marked || isRun || message !== null || isRefusal(content);
  const question = isRefusal(content) ? undefined : content.question?.text;
  const asked = question === undefined ? null : nameText(question);
  const isNone = !isRefusal(content) && content.answer === null && !content.hasUnreadState;
  // Of several runs, each is an answer.
  if (isNone && (!isWhole || (!marked && content.hasSeveralResults === true))) {
    const isAsking = item.kind === 'span' && item.parentSpanId !== null && asksForTool(own, places, isModelCall);
    const isUntold = isRefusal(content) ? undefined : content.isUntold;
    return {
      answer: null,
      asked,
      written,
      isUntold,
      ...(isAsking && question !== undefined && { continued: question }),
    };
  }
  const read = isRefusal(fields) ? fields : refusable(() => readFields(item, places, fields));
  const isStep = !isRefusal(content) && content.isRewritten === true && (isModelCall || isRun) && !marked;
  return { answer: { content, fields: read, isModelCall, isStep }, asked, written };
}

function asksForTool(own: Place | undefined, places: readonly Place[], isModelCall: boolean): boolean {
  return own !== undefined && isModelCall && findToolCalls(own, places).length > 0;
}

/** What an item says, and whether it is the call of a model. Throws `Rejection`. */
function readSaid(item: OtlpItem, own: Place | undefined, places: readonly Place[]) {
  if (own === undefined) return { isModelCall: item.kind === 'log', content: NO_CONTENT, written: [] };
  const isModelCall = item.kind === 'log' || isCallOfModel(own);
  const content = withEnding(withoutJoinedPrompt(readContent(own, places), own), own);
  const written = isModelCall && content.answer === null ? findWritten(own, places) : [];
  const objects = isModelCall ? [] : findObjects(own, places);
  const shown = isModelCall || !content.hasUnreadState ? [] : findShown(own, places);
  const made = shown.length > 0 ? findMade(own, places) : [];
  const more = {
    ...(objects.length > 0 && { objects }),
    ...(shown.length > 0 && { shown }),
    ...(made.length > 0 && { made }),
  };
  return { isModelCall, content: { ...content, ...more }, written };
}

/** Of what has no contents. */
export const NOTHING_READ: ReadAnswer = {
  answer: null,
  asked: null,
  written: [],
};
const NO_CONTENT: Content = { question: null, answer: null, hasUnreadState: false };

/** Throws `Rejection` where it cannot be told. Most items have none of these attributes. */
function isCallOfModel(own: Place): boolean {
  return own.lookup.hasAnyOf(KEYS_OF_CALLS) && MODEL_CALLS.some((condition) => applies(condition, own));
}

const KEYS_OF_CALLS: ReadonlySet<string> = new Set(MODEL_CALLS.map(({ key }) => key));
