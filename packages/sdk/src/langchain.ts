import { AsyncResource } from 'node:async_hooks';
import type { JsonObject } from '@answer-evidence/contracts';
import { sha256Hex } from '@answer-evidence/digest';
import type { Answer } from './answer.ts';
import type { AnswerEvidence } from './answer-evidence.ts';
import { textOf } from './observe/openai-chat.ts';
import { type Ending, modelRef, partRefs, toolRef } from './observe/refs.ts';
import { isAbort } from './observe/tap-response.ts';

type Message = {
  readonly content?: unknown;
  readonly id?: string;
  readonly tool_calls?: readonly { readonly name: string; readonly args: unknown }[];
  readonly response_metadata?: { readonly model_name?: string; readonly finish_reason?: string };
  getType?(): string;
};
type Metadata = { readonly ls_provider?: string; readonly ls_model_name?: string };
type Output = { readonly generations: readonly (readonly { readonly text: string; readonly message?: Message }[])[] };
/** A passage as LangChain has it: its text and what is known of it. */
export type LangChainDocument = { readonly pageContent: string; readonly metadata?: Readonly<Record<string, unknown>> };

/** Callbacks of LangChain.js, for the option `callbacks` of any call. */
export type EvidenceCallbacks = {
  /** LangChain waits for the end of a callback before it goes on. */
  readonly awaitHandlers: true;
  /** Whether an error of a callback is one of the call: with `fail: closed`. */
  readonly raiseError: boolean;
  /** A chain begins; what is retrieved below it belongs to its answers. */
  handleChainStart(chain: object, inputs: unknown, runId: string, parentRunId?: string): void;
  /** A chain has ended, and with it what belonged to its answers. */
  handleChainEnd(outputs: unknown, runId: string): void;
  /** A chain has failed. */
  handleChainError(error: unknown, runId: string): void;
  /** A retriever has found passages. */
  handleRetrieverEnd(documents: readonly LangChainDocument[], runId: string, parentRunId?: string): void;
  /** A model is called, with the messages that hold the question. */
  handleChatModelStart(
    llm: object,
    messages: readonly (readonly object[])[],
    runId: string,
    parentRunId?: string,
    extra?: unknown,
    tags?: unknown,
    metadata?: object,
  ): void;
  /** A model has responded: this is recorded. Rejects only with `fail: closed`. */
  handleLLMEnd(output: object, runId: string): Promise<void>;
  /** A model has said something more. */
  handleLLMNewToken(token: string, index: unknown, runId: string): void;
  /** A model has failed, or was given up: what it had said until then is recorded. */
  handleLLMError(error: unknown, runId: string): Promise<void>;
};

type Run = { readonly root: string; readonly sources: JsonObject[] };
type ModelRun = {
  readonly messages: readonly Message[];
  readonly metadata: Metadata;
  readonly sources: readonly JsonObject[];
  /** What was streamed so far. */
  said: string;
  /** Takes back what is to be done when nobody hears of its end. */
  settle(): void;
  report(find: () => readonly Answer[]): Promise<void>;
};

/**
 * Records the answers of chat models that LangChain.js calls, streamed ones too, with the documents that retrievers
 * found earlier in the same chain, and the tools that were asked for. With `fail: closed` the call
 * of a model rejects if its answer could not be recorded.
 */
export function evidenceCallbacks(evidence: AnswerEvidence): EvidenceCallbacks {
  const chains = new Map<string, Run>();
  const models = new Map<string, ModelRun>();
  const chainOf = (runId: string | undefined) => (runId === undefined ? undefined : chains.get(runId));
  const take = (runId: string) => {
    const run = models.get(runId);
    models.delete(runId);
    run?.settle();
    return run;
  };
  const leave = async (runId: string, ending: Ending) => {
    const run = take(runId);
    await run?.report(() => findAnswers(run, { generations: [[{ text: run.said }]] }, ending));
  };
  // Of a stream that is left by `break`, LangChain tells nobody. Only the stream itself holds the `extra` of its start.
  const left = new FinalizationRegistry((runId: string) => void leave(runId, 'caller'));
  return {
    // In the turn of the call, whose scope the answer belongs to.
    awaitHandlers: true,
    // Otherwise LangChain logs what a callback throws, and goes on.
    raiseError: evidence.fail === 'closed',
    handleChainStart(_chain, _inputs, runId, parentRunId) {
      chains.set(runId, chainOf(parentRunId) ?? { root: runId, sources: [] });
    },
    handleChainEnd: (_outputs, runId) => void chains.delete(runId),
    handleChainError: (_error, runId) => void chains.delete(runId),
    handleRetrieverEnd(documents, _runId, parentRunId) {
      chainOf(parentRunId)?.sources.push(...documents.map(toSourceRef));
    },
    handleChatModelStart(_llm, messages, runId, parentRunId, extra, _tags, metadata = {}) {
      const report = AsyncResource.bind((find: () => readonly Answer[]) => evidence.observe(find));
      models.set(runId, {
        messages: messages[0] ?? [],
        metadata,
        sources: chainOf(parentRunId)?.sources ?? [],
        said: '',
        // What holds it up to the end must not hold the stream, too.
        settle: evidence.beforeEnd(AsyncResource.bind(() => void leave(runId, 'caller'))),
        report,
      });
      if (typeof extra === 'object' && extra !== null) left.register(extra, runId);
    },
    async handleLLMEnd(output, runId) {
      const run = take(runId);
      await run?.report(() => findAnswers(run, output as Output));
    },
    handleLLMNewToken(token, _index, runId) {
      const run = models.get(runId);
      if (run !== undefined) run.said += token;
    },
    async handleLLMError(error, runId) {
      await leave(runId, isAbort(error) ? 'caller' : 'error');
    },
  };
}

function findAnswers(
  { messages, metadata, sources }: ModelRun,
  { generations }: Output,
  ending: Ending = 'whole',
): readonly Answer[] {
  const [generation] = generations[0] ?? [];
  if (generation === undefined || generation.text === '') return [];
  const { message = {}, text } = generation;
  const asked = messages.findLastIndex((one) => one.getType?.() === 'human' && textOf(one.content) !== '');
  const tools = messages
    .slice(asked + 1)
    .flatMap(({ tool_calls: calls = [] }) => calls)
    .map(({ name, args }) => toolRef(name, JSON.stringify(args ?? null)));
  const { model_name: responded, finish_reason: finishReason } = message.response_metadata ?? {};
  const { ls_provider: provider = 'unknown', ls_model_name: requested } = metadata;
  return [
    {
      question: textOf(messages[asked]?.content),
      answer: text,
      ...(message.id === undefined ? {} : { external_message_id: message.id }),
      semantic_refs: [
        modelRef({ operation: 'chat', provider, requested, responded, finishReason }),
        ...tools,
        ...partRefs(ending),
      ],
      ...(sources.length === 0 ? {} : { source_refs: [...sources] }),
    },
  ];
}

/** A document by its name and the hash of its text. The text itself does not leave the process. */
function toSourceRef({ pageContent, metadata = {} }: LangChainDocument): JsonObject {
  const name = ['title', 'source', 'url', 'id'].map((key) => metadata[key]).find((one) => typeof one === 'string');
  return {
    source_name: typeof name === 'string' ? name : 'document',
    source_hash: `sha256:${sha256Hex(pageContent)}`,
    source_type: 'document',
  };
}
