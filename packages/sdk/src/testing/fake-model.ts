import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model behind the HTTP interfaces of OpenAI and Anthropic. It answers every question in the same way. */
export type FakeModel = { readonly url: string; close(): Promise<void> };

/** What it answers; as structured output the JSON of it. */
export const SPOKEN = 'Thirty days.';
/** Asks for a tool in the place of an answer, when tools are offered and none has run. */
const TOOL = { name: 'find_policy', arguments: '{"topic":"returns"}' };

type Body = {
  readonly stream?: boolean;
  readonly model: string;
  readonly tools?: readonly unknown[];
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
  readonly input?: unknown;
  readonly response_format?: unknown;
  readonly text?: { readonly format?: { readonly type: string } };
};

/** Opens one on a free port. */
export async function openFakeModel(): Promise<FakeModel> {
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const body = JSON.parse(text) as Body;
  if (body.model === 'broken') return send(response, 400, [{ error: { message: 'no such model' } }], false);
  const wantsTool = body.tools !== undefined && !/tool_result|"role":"tool"|function_call_output/.test(text);
  const isStructured = body.response_format !== undefined || body.text?.format?.type === 'json_schema';
  const spoken = isStructured ? JSON.stringify({ days: 30 }) : SPOKEN;
  const [respondAs] = [chat, responses, messages].filter((one) => (request.url ?? '').endsWith(one.path));
  const events = respondAs?.events(body, spoken, wantsTool) ?? [];
  if (body.stream === true && isBreaking(body.model)) return breakOff(response, events, body.model);
  send(response, 200, events, body.stream === true);
}

/** Models whose stream goes no further than the first half of what is said, each with what comes then. */
const BREAKING = {
  /** The connection is lost. */
  cut: (response: ServerResponse) => void response.destroy(),
  /** An event says that something failed. */
  faulty(response: ServerResponse) {
    const error = { type: 'error', error: { type: 'server_error', message: 'boom' }, code: 'x', message: 'boom' };
    response.end(`event: error\ndata: ${JSON.stringify(error)}\n\n`);
  },
  /** It ends, as if all had been said. */
  short: (response: ServerResponse) => void response.end(),
  /** Nothing, until the caller goes away. */
  stuck: () => undefined,
} as const;

function isBreaking(model: string): model is keyof typeof BREAKING {
  return model in BREAKING;
}

function breakOff(response: ServerResponse, events: readonly object[], model: keyof typeof BREAKING): void {
  const first = events.findIndex((event) => /"(content|delta|text)":"Thirt"/.test(JSON.stringify(event)));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const shown = events.slice(0, first + 1).map((event) => {
    const name = 'type' in event ? `event: ${String(event.type)}\n` : '';
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  response.write(shown.join(''), () => BREAKING[model](response));
}

function send(response: ServerResponse, status: number, events: readonly object[], isStream: boolean): void {
  response.writeHead(status, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
  if (!isStream) return void response.end(JSON.stringify(events.at(-1)));
  for (const event of events.slice(0, -1)) {
    const name = 'type' in event ? `event: ${String(event.type)}\n` : '';
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end('data: [DONE]\n\n');
}

/** The events of a stream, and last the whole response that is sent without one. */
type Interface = {
  readonly path: string;
  events(body: Body, spoken: string, wantsTool: boolean): readonly object[];
};

const halves = (text: string) => [text.slice(0, 5), text.slice(5)];

const chat: Interface = {
  path: '/chat/completions',
  events({ model }, spoken, wantsTool) {
    const about = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: `${model}-2026` };
    const calls = [{ index: 0, id: 'call_1', type: 'function', function: TOOL }];
    const deltas = wantsTool
      ? [{ role: 'assistant', content: null, tool_calls: calls }]
      : halves(spoken).map((content) => ({ role: 'assistant', content }));
    const reason = wantsTool ? 'tool_calls' : 'stop';
    const message = wantsTool
      ? { role: 'assistant', content: null, refusal: null, tool_calls: calls.map(({ index: _, ...call }) => call) }
      : { role: 'assistant', content: spoken, refusal: null };
    return [
      ...deltas.map((delta) => ({ ...about, choices: [{ index: 0, delta, finish_reason: null }] })),
      { ...about, choices: [{ index: 0, delta: {}, finish_reason: reason }] },
      { ...about, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: reason, logprobs: null }] },
    ];
  },
};

const responses: Interface = {
  path: '/responses',
  events({ model }, spoken, wantsTool) {
    const part = { type: 'output_text', text: spoken, annotations: [] };
    const item = wantsTool
      ? { type: 'function_call', id: 'fc_1', call_id: 'call_1', status: 'completed', ...TOOL }
      : { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [part] };
    const about = { id: 'resp_1', object: 'response', created_at: 1, model: `${model}-2026`, tools: [], error: null };
    const whole = { ...about, status: 'completed', output: [item] };
    const at = { item_id: 'msg_1', output_index: 0, content_index: 0 };
    const said = [
      { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
      ...halves(spoken).map((delta) => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })),
      { type: 'response.output_text.done', ...at, text: spoken, logprobs: [] },
      { type: 'response.content_part.done', ...at, part },
    ];
    const begun = wantsTool ? { ...item, status: 'in_progress' } : { ...item, status: 'in_progress', content: [] };
    return [
      { type: 'response.created', response: { ...about, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: begun },
      ...(wantsTool ? [] : said),
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: whole },
      whole,
    ].map((event, n) => ('type' in event ? { ...event, sequence_number: n } : event));
  },
};

const messages: Interface = {
  path: '/v1/messages',
  events({ model }, spoken, wantsTool) {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const about = { id: 'msg_1', type: 'message', role: 'assistant', model: `${model}-2026`, usage };
    const input = JSON.parse(TOOL.arguments) as object;
    const block = wantsTool
      ? { type: 'tool_use', id: 'toolu_1', name: TOOL.name, input }
      : { type: 'text', text: spoken, citations: null };
    const stopped = { stop_reason: wantsTool ? 'tool_use' : 'end_turn', stop_sequence: null };
    const deltas = wantsTool
      ? [{ type: 'input_json_delta', partial_json: TOOL.arguments }]
      : halves(spoken).map((text) => ({ type: 'text_delta', text }));
    const start = wantsTool ? { ...block, input: {} } : { ...block, text: '' };
    return [
      { type: 'message_start', message: { ...about, content: [], stop_reason: null, stop_sequence: null } },
      { type: 'content_block_start', index: 0, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: stopped, usage },
      { type: 'message_stop' },
      { ...about, content: [block], ...stopped },
    ];
  },
};
