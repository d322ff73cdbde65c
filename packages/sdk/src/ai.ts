import { AsyncResource } from 'node:async_hooks';
import type { JsonObject } from '@answer-evidence/contracts';
import type { Answer } from './answer.ts';
import type { AnswerEvidence } from './answer-evidence.ts';
import { ConfigurationError } from './errors.ts';
import { textOf } from './observe/openai-chat.ts';
import { type Ending, modelRef, partRefs, toolRef } from './observe/refs.ts';

/** An operation of the AI SDK as its telemetry describes the start. */
type Started = {
  readonly callId?: string;
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
  readonly recordInputs?: boolean;
};
type Source = { readonly url?: string; readonly title?: string; readonly sourceType?: string };
/** And its end. Embeddings and the like have neither text nor object. */
type Ended = {
  readonly callId?: string;
  readonly text?: string;
  readonly object?: unknown;
  readonly finishReason?: string;
  readonly model?: { readonly provider?: string; readonly modelId?: string };
  readonly response?: { readonly id?: string; readonly modelId?: string };
  readonly steps?: readonly {
    readonly toolCalls?: readonly { readonly toolName: string; readonly input: unknown }[];
  }[];
  readonly sources?: readonly Source[];
  readonly recordOutputs?: boolean;
};

/** A telemetry integration of the AI SDK, for `registerTelemetry` or the option `telemetry.integrations` of a call. */
export type EvidenceTelemetry = {
  /** An operation begins, with its question. */
  onStart(event: object): void;
  /** An operation has ended: its answer is recorded. */
  onEnd(event: object): Promise<void>;
  /** A call of a model: what it streams is read on its way. */
  executeLanguageModelCall<T>(call: { readonly callId: string; execute(): PromiseLike<T> }): Promise<T>;
  /** An operation was given up: what it had said until then is recorded. */
  onAbort(event: object): Promise<void>;
  /** An operation has failed: likewise. */
  onError(event: unknown): Promise<void>;
};

type Begun = {
  readonly question: string;
  /** What the present call of the model has streamed so far, and by which model. */
  said: string;
  model: Ended['model'];
  report(find: () => readonly Answer[]): Promise<void>;
};

/** Operations whose end was not told, such as failed ones, are forgotten from this number on. */
const BEGUN_MAX = 1_000;

/**
 * Records the answers of the AI SDK, version 7: texts and objects, whole and streamed, with tools and sources. A call
 * that says `recordInputs: false` or `recordOutputs: false` is not recorded. The AI SDK ignores what an integration
 * throws, so no answer can be held back here: throws a ConfigurationError for a client with `fail: closed`.
 */
export function evidenceTelemetry(evidence: AnswerEvidence): EvidenceTelemetry {
  if (evidence.fail === 'closed')
    throw new ConfigurationError(
      'the AI SDK goes on whatever an integration throws, so no answer can be held back: use fail: open with it',
    );
  const begun = new Map<string, Begun>();
  const recordPart = async (event: unknown, ending: Ending) => {
    const { callId = '' } = event as Started;
    const start = begun.get(callId);
    begun.delete(callId);
    if (start === undefined || start.said === '') return;
    const said: Ended = { text: start.said, ...(start.model === undefined ? {} : { model: start.model }) };
    await start.report(() => findAnswers(start.question, said, ending));
  };
  return {
    onStart(event) {
      const { callId, messages = [], recordInputs }: Started = event;
      if (callId === undefined || recordInputs === false) return;
      const asked = messages.findLast(({ role, content }) => role === 'user' && textOf(content) !== '');
      const report = AsyncResource.bind((find: () => readonly Answer[]) => evidence.observe(find));
      begun.set(callId, { question: textOf(asked?.content), said: '', model: undefined, report });
      const [oldest] = begun.keys();
      if (begun.size > BEGUN_MAX && oldest !== undefined) begun.delete(oldest);
    },
    async onEnd(event) {
      const ended: Ended = event;
      const start = begun.get(ended.callId ?? '');
      begun.delete(ended.callId ?? '');
      if (start === undefined || ended.recordOutputs === false) return;
      const ending = ended.finishReason === 'error' ? 'error' : 'whole';
      await start.report(() => findAnswers(start.question, ended, ending));
    },
    async executeLanguageModelCall(call) {
      const result = await call.execute();
      const start = begun.get(call.callId);
      if (start === undefined) return result;
      const { provider, modelId } = call as NonNullable<Ended['model']>;
      start.said = '';
      start.model = { ...(provider === undefined ? {} : { provider }), ...(modelId === undefined ? {} : { modelId }) };
      return withStream(result, (text) => {
        start.said += text;
      });
    },
    onAbort: (event) => recordPart(event, 'caller'),
    onError: (event) => recordPart(event, 'error'),
  };
}

function findAnswers(question: string, ended: Ended, ending: Ending): readonly Answer[] {
  const { text, object, model, response, finishReason, steps = [], sources = [] } = ended;
  const answer = object === undefined ? text : JSON.stringify(object);
  if (answer === undefined || answer === '') return [];
  const tools = steps
    .flatMap(({ toolCalls = [] }) => toolCalls)
    .map(({ toolName, input }) => toolRef(toolName, JSON.stringify(input ?? null)));
  const isPart = ending !== 'whole';
  const facts = {
    operation: 'chat',
    provider: model?.provider ?? 'unknown',
    finishReason: isPart ? undefined : finishReason,
  };
  return [
    {
      question,
      answer,
      ...(response?.id === undefined ? {} : { external_message_id: response.id }),
      semantic_refs: [
        modelRef({ ...facts, requested: model?.modelId, responded: response?.modelId }),
        ...tools,
        ...partRefs(ending),
      ],
      ...(sources.length === 0 ? {} : { source_refs: sources.map(toSourceRef) }),
    },
  ];
}

/** The same result of a model's call, with the text of its stream told on its way; a whole one as it is. */
function withStream<T>(result: T, tell: (text: string) => void): T {
  if (typeof result !== 'object' || result === null || !('stream' in result)) return result;
  if (!(result.stream instanceof ReadableStream)) return result;
  const told = new TransformStream<StreamPart, StreamPart>({
    transform(part, controller) {
      if (part.type === 'text-delta' && typeof part.delta === 'string') tell(part.delta);
      controller.enqueue(part);
    },
  });
  return { ...result, stream: result.stream.pipeThrough(told) };
}

type StreamPart = { readonly type: string; readonly delta?: unknown };

function toSourceRef({ url, title, sourceType }: Source): JsonObject {
  return {
    source_name: title ?? url ?? 'unnamed',
    source_type: sourceType ?? 'source',
    ...(url && { source_uri: url }),
  };
}
