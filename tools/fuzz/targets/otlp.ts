import { ServiceError } from '@answer-evidence/contracts';
import { OTLP_LIMITS, type OtlpEncoding, OtlpError, readRequest } from '@answer-evidence/otlp';
import { mapBatch } from '@answer-evidence/otlp-mapping';
import { createOtlpStage, type OtlpDeps } from '@answer-evidence/stage-otlp';
import { readEach, type Target } from '../target.ts';

const MIB = 1024 * 1024;
/** Building the stage uses these alone; only its handlers use a database. */
const DEPS = { otlpLimits: OTLP_LIMITS, otlpBodyBytesMax: 16 * MIB, otlpInHandBytesMax: 64 * MIB };
const ROUTES = createOtlpStage(DEPS as OtlpDeps).routes.filter(({ method }) => method === 'POST');
const READING = ROUTES.filter(({ bodyFormat }) => bodyFormat === 'bytes');

/** Names and forms that the mapping looks for. */
const NAMES = [
  'gen_ai.operation.name',
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.prompt.0.content',
  'gen_ai.completion.0.content',
  'llm.input_messages.0.message.content',
  'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments',
  'input.value',
  'output.value',
  'traceloop.entity.output',
  'openinference.span.kind',
  'gen_ai.choice',
  'gen_ai.user.message',
];
const TEXTS = [
  '[{"role":"user","parts":[{"type":"text","content":"a"}]}]',
  '["<a.b object at 0x7f00>"]',
  '[{"message":{"role":"assistant","content":[{"type":"text","text":"b"}]}}]',
  '{"messages":[["human","a"],["ai","b"]]}',
  "content='a' additional_kwargs={}",
  '\u0000',
  '\ud800',
];

/** Reads as the service does, with the signal given by the path and by the body, and maps what was read. */
function readAs(encoding: OtlpEncoding, contentType: string): Target['read'] {
  return (input) => {
    const paths = [undefined, 'traces', 'logs'] as const;
    const reading = paths.map((signal) => () => void readRequest(input, encoding, signal));
    const mapping = READING.map((route) => () => void route.digest?.(input, contentType));
    const deciding = () => void mapBatch(readRequest(input, encoding, undefined));
    readEach([...reading, ...mapping, deciding], REFUSALS);
  };
}

const REFUSALS = [OtlpError, ServiceError];

/** Requests of OTLP in both encodings, read and mapped. */
export const OTLP_TARGETS: readonly Target[] = [
  {
    name: 'otlp-protobuf',
    // Lengths and field numbers at their bounds.
    words: ['\x0a\xff\xff\xff\xff\x0f', '\x12\x00', '\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01', ...NAMES, ...TEXTS],
    read: readAs('protobuf', 'application/x-protobuf'),
    refusals: REFUSALS,
  },
  {
    name: 'otlp-json',
    words: [
      ...[
        '"resourceSpans"',
        '"resourceLogs"',
        '"scopeSpans"',
        '"kvlistValue"',
        '"arrayValue"',
        '"bytesValue"',
        '"body"',
      ],
      ...['{"intValue":"9223372036854775807"}', '{"doubleValue":"NaN"}', '1e999', '\\ud800', '__proto__'],
      ...NAMES.map((name) => JSON.stringify(name)),
      ...TEXTS.map((text) => JSON.stringify(text)),
    ],
    read: readAs('json', 'application/json'),
    refusals: REFUSALS,
  },
];
