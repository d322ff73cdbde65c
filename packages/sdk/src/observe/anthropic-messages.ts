import type { Answer } from '../answer.ts';
import { type Citation, citedSources } from './citations.ts';
import { textOf } from './openai-chat.ts';
import type { Reader } from './reader.ts';
import { type Ending, endingOf, modelRef, partRefs, toolRef } from './refs.ts';

type Block = {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly citations?: readonly Citation[] | null;
  /** Of a search on the web: what it found, or why it failed. */
  readonly content?: unknown;
};
type Body = {
  readonly model?: string;
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
};
type Message = {
  readonly id?: string;
  readonly model?: string;
  readonly stop_reason?: string | null;
  readonly content: readonly Block[];
};
type Event = {
  readonly type: string;
  readonly message?: Message;
  readonly content_block?: Block;
  readonly delta?: {
    readonly type?: string;
    readonly text?: string;
    readonly stop_reason?: string | null;
    readonly citation?: Citation;
  };
};

const SEARCHED = 'web_search_tool_result';

/** Calls of `messages.create`. A message without text, such as one that asks for a tool, is no answer. */
export const messages: Reader<Body, Message, Event> = {
  whole: findAnswers,
  stream(body) {
    let text = '';
    const citations: Citation[] = [];
    const searches: Block[] = [];
    let about: Message = { content: [] };
    return {
      add({ type, message, delta, content_block: block }) {
        if (type === 'message_start' && message !== undefined) about = message;
        if (type === 'content_block_delta' && delta?.type === 'text_delta') text += delta.text ?? '';
        if (delta?.citation !== undefined) citations.push(delta.citation);
        if (block?.type === SEARCHED) searches.push(block);
        if (type === 'message_delta') about = { ...about, stop_reason: delta?.stop_reason ?? null };
      },
      find: (ending) =>
        findAnswers(
          body,
          { ...about, content: [{ type: 'text', text, citations }, ...searches] },
          endingOf(typeof about.stop_reason === 'string', ending),
        ),
    };
  },
};

function findAnswers(
  body: Body,
  { id, model: responded, stop_reason: finishReason, content }: Message,
  ending: Ending = 'whole',
): readonly Answer[] {
  const answer = content.flatMap(({ type, text }) => (type === 'text' ? [text ?? ''] : [])).join('');
  if (answer === '') return [];
  const asked = body.messages.findLastIndex(({ role, content: said }) => role === 'user' && textOf(said) !== '');
  const tools = body.messages
    .slice(asked + 1)
    .flatMap(({ content: said }) => (typeof said === 'string' ? [] : said))
    .flatMap(({ type, name, input }) =>
      type === 'tool_use' && name !== undefined ? [toolRef(name, JSON.stringify(input ?? null))] : [],
    );
  return [
    {
      question: textOf(body.messages[asked]?.content),
      answer,
      ...(id === undefined ? {} : { external_message_id: id }),
      semantic_refs: [
        modelRef({ operation: 'chat', provider: 'anthropic', requested: body.model, responded, finishReason }),
        ...tools,
        ...partRefs(ending),
      ],
      ...citedSources([...content.flatMap(({ citations }) => citations ?? []), ...content.flatMap(foundBy)]),
    },
  ];
}

function foundBy({ type, content }: Block): readonly Citation[] {
  return type === SEARCHED && Array.isArray(content) ? (content as readonly Citation[]) : [];
}
