import type { Answer } from '../answer.ts';
import { type Citation, citedSources } from './citations.ts';
import type { Reader } from './reader.ts';
import { type Ending, endingOf, modelRef, partRefs, toolRef } from './refs.ts';

type ToolCall = { readonly function?: { readonly name: string; readonly arguments: string } };
type Message = { readonly role: string; readonly content?: unknown; readonly tool_calls?: readonly ToolCall[] };
type Body = { readonly model?: string; readonly messages: readonly Message[] };
type Choice = {
  readonly message: Delta;
  readonly finish_reason?: string | null;
  readonly ending?: Ending;
};
type Completion = { readonly id?: string; readonly model?: string; readonly choices: readonly Choice[] };
type Delta = {
  readonly content?: string | null;
  readonly refusal?: string | null;
  readonly annotations?: readonly Citation[];
};
type Chunk = {
  readonly id?: string;
  readonly model?: string;
  readonly choices?: readonly {
    readonly index: number;
    readonly delta: Delta;
    readonly finish_reason?: string | null;
  }[];
};

/** Calls of `chat.completions.create`. A choice without text, such as one that asks for a tool, is no answer. */
export const chatCompletions: Reader<Body, Completion, Chunk> = {
  whole: findAnswers,
  stream(body) {
    type Collected = { content: string; refusal: string; annotations: Citation[]; reason: string | null };
    const choices = new Map<number, Collected>();
    let about: Pick<Chunk, 'id' | 'model'> = {};
    return {
      add({ id, model, choices: parts = [] }) {
        about = { ...about, ...(id === undefined ? {} : { id }), ...(model === undefined ? {} : { model }) };
        for (const { index, delta, finish_reason: reason } of parts) {
          const choice = choices.get(index) ?? { content: '', refusal: '', annotations: [], reason: null };
          choice.content += delta.content ?? '';
          choice.refusal += delta.refusal ?? '';
          choice.annotations.push(...(delta.annotations ?? []));
          choice.reason = reason ?? choice.reason;
          choices.set(index, choice);
        }
      },
      find: (ending) =>
        findAnswers(body, {
          ...about,
          choices: [...choices.values()].map(({ reason, ...message }) => ({
            message,
            finish_reason: reason,
            ending: endingOf(reason !== null, ending),
          })),
        }),
    };
  },
};

function findAnswers(body: Body, { id, model, choices }: Completion): readonly Answer[] {
  const asked = body.messages.findLastIndex(({ role, content }) => role === 'user' && textOf(content) !== '');
  const tools = body.messages
    .slice(asked + 1)
    .flatMap(({ tool_calls: calls = [] }) => calls)
    .flatMap(({ function: called }) => (called === undefined ? [] : [toolRef(called.name, called.arguments)]));
  return choices.flatMap(({ message, finish_reason: finishReason, ending = 'whole' }) => {
    const text = message.content || message.refusal;
    if (!text) return [];
    const facts = { operation: 'chat', provider: 'openai', requested: body.model, responded: model, finishReason };
    return [
      {
        question: textOf(body.messages[asked]?.content),
        answer: text,
        ...(id === undefined ? {} : { external_message_id: id }),
        semantic_refs: [modelRef(facts), ...tools, ...partRefs(ending)],
        ...citedSources(message.annotations ?? []),
      },
    ];
  });
}

/** The text of a content, which is one or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: { readonly text?: unknown }) => (typeof part.text === 'string' ? [part.text] : []))
    .join('\n');
}
