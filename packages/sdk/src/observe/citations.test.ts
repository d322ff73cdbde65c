import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { observe as observeAnthropic } from '../anthropic.ts';
import { AnswerEvidence } from '../index.ts';
import { observe } from '../openai.ts';
import { type FakeService, openFakeService } from '../testing/fake-service.ts';
import { citedSources } from './citations.ts';

/** The vendors' own libraries. Their types are no part of this repository's type check. */
const load = async (name: string) => (await import(name)) as Record<string, any>;
const { OpenAI = Object } = await load('openai');
const { Anthropic = Object } = await load('@anthropic-ai/sdk');

let service: FakeService;
let evidence: AnswerEvidence;
beforeEach(async () => {
  service = await openFakeService();
  evidence = new AnswerEvidence({ application: 'support-bot', url: service.url, token: 't', fail: 'closed' });
});
afterEach(() => service.close());

/** Options of a client whose model replies this: one response, or the events of a stream. */
function replying(reply: object | readonly { readonly type?: string }[]) {
  const isStream = Array.isArray(reply);
  const events = isStream ? reply.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join('') : '';
  const headers = { 'content-type': isStream ? 'text/event-stream' : 'application/json' };
  return {
    apiKey: 'k',
    fetch: () =>
      Promise.resolve(new Response(isStream ? `${events}data: [DONE]\n\n` : JSON.stringify(reply), { headers })),
  };
}

async function sourcesOf(returned: Promise<any>) {
  const result = await returned;
  if (Symbol.asyncIterator in result) for await (const _ of result);
  const [record] = service.records.values();
  expect(record?.answer).toEqual({ text: 'Thirty days.' });
  return record?.source_refs;
}

const messages = [{ role: 'user', content: 'How long can I return a jacket?' }];
const page = { title: 'Returns', url: 'https://ada:secret@shop.example/returns?utm_source=model#top' };
const returns = { source_type: 'cited_document', source_name: 'Returns', source_uri: 'https://shop.example/returns' };
const file = { type: 'file_citation', file_id: 'file-1', filename: 'terms.pdf', index: 3 };
const terms = { source_type: 'cited_document', source_name: 'terms.pdf', document_id: 'file-1' };

describe('citations of chat completions', () => {
  const about = { id: 'chatcmpl-1', created: 1, model: 'gpt' };
  const annotations = [1, 2].map((start_index) => ({ type: 'url_citation', url_citation: { ...page, start_index } }));

  it.each([
    [
      'whole',
      { ...about, choices: [{ index: 0, message: { role: 'assistant', content: 'Thirty days.', annotations } }] },
    ],
    [
      'streamed',
      [{ content: 'Thirty ' }, { content: 'days.' }, { annotations }].map((delta) => ({
        ...about,
        choices: [{ index: 0, delta }],
      })),
    ],
  ])('are sources of the answer, each once: %s', async (_, reply) => {
    const { completions } = observe(new OpenAI(replying(reply)), evidence).chat;
    expect(await sourcesOf(completions.create({ model: 'gpt', messages, stream: Array.isArray(reply) }))).toEqual([
      returns,
    ]);
  });
});

describe('citations of responses', () => {
  const annotations = [{ type: 'url_citation', ...page }, file, { type: 'file_path', file_id: 'made-by-the-model' }];
  const said = {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Thirty days.', annotations }],
  };
  const searched = {
    type: 'web_search_call',
    action: { type: 'search', sources: [{ type: 'url', url: 'https://a.example/' }] },
  };
  const found = {
    type: 'file_search_call',
    results: [{ file_id: 'file-2', filename: 'old.pdf', text: 't', score: 1 }],
  };
  const whole = {
    id: 'resp_1',
    object: 'response',
    model: 'gpt',
    status: 'completed',
    output: [searched, found, said],
  };
  const events = [
    { type: 'response.output_text.delta', delta: 'Thirty days.' },
    ...annotations.map((annotation) => ({ type: 'response.output_text.annotation.added', annotation })),
  ];

  it.each([
    ['whole', whole],
    ['streamed', [...events, { type: 'response.completed', response: whole }]],
  ])('are sources of the answer, with what was searched for: %s', async (_, reply) => {
    const client = observe(new OpenAI(replying(reply)), evidence);
    const create = client.responses.create({ model: 'gpt', input: 'q', stream: Array.isArray(reply) });
    expect(await sourcesOf(create)).toEqual([
      returns,
      terms,
      { source_type: 'cited_document', source_name: 'https://a.example/', source_uri: 'https://a.example/' },
      { source_type: 'cited_document', source_name: 'old.pdf', document_id: 'file-2' },
    ]);
  });

  it('are those that came, where a stream ended before its time', async () => {
    const client = observe(new OpenAI(replying(events)), evidence);
    expect(await sourcesOf(client.responses.create({ model: 'gpt', input: 'q', stream: true }))).toEqual([
      returns,
      terms,
    ]);
  });
});

describe('citations of Anthropic', () => {
  const search = {
    type: 'web_search_tool_result',
    tool_use_id: 's1',
    content: [{ type: 'web_search_result', url: 'https://b.example/', title: 'B', encrypted_content: 'x' }],
  };
  const failed = { type: 'web_search_tool_result', tool_use_id: 's2', content: { error_code: 'unavailable' } };
  const citations = [
    { type: 'web_search_result_location', ...page, cited_text: '30 days' },
    { type: 'char_location', document_index: 0, document_title: null, cited_text: '30 days' },
    { type: 'search_result_location', source: 'returns-7', title: 'Policy', cited_text: '30 days' },
  ];
  const about = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude' };
  const text = { type: 'text', text: 'Thirty days.', citations };
  const events = [
    { type: 'message_start', message: { ...about, content: [] } },
    ...[search, failed].map((content_block, index) => ({ type: 'content_block_start', index, content_block })),
    { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '', citations: [] } },
    ...citations.map((citation) => ({
      type: 'content_block_delta',
      index: 2,
      delta: { type: 'citations_delta', citation },
    })),
    { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'Thirty days.' } },
    { type: 'message_stop' },
  ];

  it.each([
    ['whole', { ...about, content: [search, failed, text] }],
    ['streamed', events],
  ])('are sources of the answer, with what was searched for: %s', async (_, reply) => {
    const client = observeAnthropic(new Anthropic(replying(reply)), evidence);
    const create = client.messages.create({ model: 'claude', max_tokens: 9, messages, stream: Array.isArray(reply) });
    expect(await sourcesOf(create)).toEqual([
      returns,
      { source_type: 'cited_document', source_name: 'document 0' },
      { source_type: 'cited_document', source_name: 'Policy' },
      { source_type: 'cited_document', source_name: 'B', source_uri: 'https://b.example/' },
    ]);
  });
});

it('takes what it does not know for no source', () => {
  expect(citedSources([{}, { type: 'new_kind' }, { url: '' }])).toEqual({});
});
