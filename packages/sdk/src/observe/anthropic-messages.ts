import type { Answer } from '../answer.ts';
import { textOf } from './openai-chat.ts';
import { modelRef, toolRef } from './refs.ts';
import type { Reader } from './watch-method.ts';

type Block = { readonly type: string; readonly text?: string; readonly name?: string; readonly input?: unknown };
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
  readonly delta?: { readonly type?: string; readonly text?: string; readonly stop_reason?: string | null };
};

/** Calls of `messages.create`. A message without text, such as one that asks for a tool, is no answer. */
export const messages: Reader<Body, Message, Event> = {
  whole: findAnswers,
  stream(body) {
    let text = '';
    let about: Message = { content: [] };
    return {
      add({ type, message, delta }) {
        if (type === 'message_start' && message !== undefined) about = message;
        if (type === 'content_block_delta' && delta?.type === 'text_delta') text += delta.text ?? '';
        if (type === 'message_delta') about = { ...about, stop_reason: delta?.stop_reason ?? null };
      },
      find: () => findAnswers(body, { ...about, content: [{ type: 'text', text }] }),
    };
  },
};

function findAnswers(
  body: Body,
  { id, model: responded, stop_reason: finishReason, content }: Message,
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
      ],
    },
  ];
}
