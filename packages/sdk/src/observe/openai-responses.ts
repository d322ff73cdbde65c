import type { Answer } from '../answer.ts';
import { type Citation, citedSources } from './citations.ts';
import { textOf } from './openai-chat.ts';
import type { Reader } from './reader.ts';
import { type Ending, endingOf, modelRef, partRefs, toolRef } from './refs.ts';

type Item = {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly name?: string;
  readonly arguments?: string;
};
type Body = { readonly model?: string; readonly input?: string | readonly Item[] };
type Part = { readonly text?: string; readonly refusal?: string; readonly annotations?: readonly Citation[] };
type Output = {
  readonly type: string;
  readonly content?: readonly Part[];
  /** What a search found, where the request asked for it. */
  readonly results?: readonly Citation[] | null;
  readonly action?: { readonly sources?: readonly Citation[] };
};
type Response = {
  readonly id?: string;
  readonly model?: string;
  readonly status?: string;
  readonly output: readonly Output[];
};
type Event = {
  readonly type: string;
  readonly delta?: unknown;
  readonly response?: Response;
  readonly annotation?: Citation;
};

/** Events that bring text of the answer. */
const TEXT_EVENTS: readonly string[] = ['response.output_text.delta', 'response.refusal.delta'];
/** Events that bring the whole response. */
const ENDS: readonly string[] = ['response.completed', 'response.incomplete'];

/** Calls of `responses.create`. A response without text, such as one that asks for a tool, is no answer. */
export const responses: Reader<Body, Response, Event> = {
  whole: findAnswers,
  stream(body) {
    let text = '';
    const annotations: Citation[] = [];
    let last: Response = { output: [] };
    let isWhole = false;
    let hasFailed = false;
    return {
      add({ type, delta, response, annotation }) {
        if (response !== undefined) last = response;
        if (ENDS.includes(type)) isWhole = true;
        if (type === 'response.failed' || type === 'error') hasFailed = true;
        if (TEXT_EVENTS.includes(type) && typeof delta === 'string') text += delta;
        if (annotation !== undefined) annotations.push(annotation);
      },
      find(ending) {
        if (isWhole && !hasFailed) return findAnswers(body, last);
        const { status: _unfinished, ...about } = last;
        const said = { type: 'message', content: [{ text, annotations }] };
        return findAnswers(body, { ...about, output: [said] }, endingOf(false, hasFailed ? 'error' : ending));
      },
    };
  },
};

function findAnswers(
  { model: requested, input = [] }: Body,
  response: Response,
  ending: Ending = 'whole',
): readonly Answer[] {
  const parts = response.output.flatMap(({ type, content }) => (type === 'message' ? (content ?? []) : []));
  const answer = parts.map(({ text, refusal }) => text ?? refusal ?? '').join('');
  if (answer === '') return [];
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const asked = items.findLastIndex(({ role, content }) => role === 'user' && textOf(content) !== '');
  const { id, model: responded, status: finishReason } = response;
  const tools = items
    .slice(asked + 1)
    .flatMap(({ type, name, arguments: args }: Item) =>
      type === 'function_call' && name !== undefined ? [toolRef(name, args ?? '')] : [],
    );
  return [
    {
      question: textOf(items[asked]?.content),
      answer,
      ...(id === undefined ? {} : { external_message_id: id }),
      semantic_refs: [
        modelRef({ operation: 'responses', provider: 'openai', requested, responded, finishReason }),
        ...tools,
        ...partRefs(ending),
      ],
      ...citedSources([...parts.flatMap(({ annotations = [] }) => annotations), ...response.output.flatMap(foundBy)]),
    },
  ];
}

function foundBy({ results, action }: Output): readonly Citation[] {
  return [...(results ?? []), ...(action?.sources ?? [])];
}
