import type { JsonObject } from '@answer-evidence/contracts';
import { sha256Hex } from '@answer-evidence/digest';
import { canonicalize, parseJsonText, readOr } from '@answer-evidence/encoding';

/** What is known of the model that answered. */
export type ModelFacts = {
  readonly operation: string;
  readonly provider: string;
  readonly requested: string | undefined;
  readonly responded: string | undefined;
  readonly finishReason: string | null | undefined;
};

/** Says which model answered, as records from OpenTelemetry do. */
export function modelRef({ operation, provider, requested, responded, finishReason }: ModelFacts): JsonObject {
  return {
    ref_type: 'model',
    operation,
    provider,
    ...(requested === undefined ? {} : { request_model: requested }),
    ...(responded === undefined ? {} : { response_model: responded }),
    ...(typeof finishReason === 'string' ? { finish_reasons: [finishReason] } : {}),
  };
}

/** How a stream ended: `whole`, as the model ended it; by its `caller`; or by an `error`, such as a lost connection. */
export type Ending = 'whole' | 'caller' | 'error';

/** Says that an answer is only what came before its stream ended; nothing for a whole one. */
export function partRefs(ending: Ending): readonly JsonObject[] {
  return ending === 'whole' ? [] : [{ ref_type: 'stream', state: 'partial', ended_by: ending }];
}

/** How an answer ended whose model says, or does not say, that it was finished. */
export function endingOf(isFinished: boolean, stream: Ending): Ending {
  if (isFinished) return 'whole';
  return stream === 'caller' ? 'caller' : 'error';
}

/** Names a tool that a model asked for. Of the arguments, as JSON, only the hash of their canonical form is kept. */
export function toolRef(name: string, args: string): JsonObject {
  const hash = hashArguments(args);
  return {
    ref_type: 'tool_call',
    step: 'requested',
    name,
    ...(hash === undefined ? {} : { arguments_hash: `sha256:${hash}` }),
  };
}

function hashArguments(args: string): string | undefined {
  return readOr(() => sha256Hex(canonicalize(parseJsonText(args))), undefined);
}
