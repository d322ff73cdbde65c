import { describe, expect, it } from '@jest/globals';
import { batchOf, event, messages, type Plain, span } from '../../fixtures/items.ts';
import { mapBatch, type OtlpItem } from '../index.ts';

const Q = 'When do you open?';
const A = 'At nine.';
const INPUT = messages(['system', 'Be brief.'], ['user', 'Hello'], ['assistant', 'Hi'], ['user', Q]);
const OUTPUT = [{ role: 'assistant', parts: [{ type: 'text', content: A }], finish_reason: 'stop' }];
const json = (value: Plain): string => JSON.stringify(value);
const chat = (attributes: { readonly [key: string]: Plain }): OtlpItem => span({ attributes });

describe('question and answer', () => {
  it('are the hashes that the sender committed to, beside a text or alone', () => {
    const hash = `sha256:${'ab'.repeat(32)}`;
    const marked = {
      'service.audit.question_hash': hash,
      'service.audit.answer_text': A,
      'service.audit.answer_hash': hash,
    };
    expect(mapBatch(batchOf(chat({ ...marked, 'gen_ai.input.messages': INPUT }))).items).toMatchObject([
      { question: { hash }, answer: { text: A, hash } },
    ]);
    expect(mapBatch(batchOf(chat(marked))).items[0]?.question).toEqual({ hash });
  });

  it('come from text parts only, joined by line feeds', () => {
    const parts: Plain = [
      { type: 'reasoning', content: 'secret thoughts' },
      { type: 'text', content: 'one' },
      { type: 'blob', modality: 'image', content: 'AAAA' },
      { type: 'text', content: 'two' },
    ];
    const answered = chat({ 'gen_ai.output.messages': [{ role: 'assistant', parts }] });
    expect(mapBatch(batchOf(answered)).items[0]?.answer).toEqual({ text: 'one\ntwo' });
  });

  it('are those of the turn that ends an agent, not of the turns that ask for tools', () => {
    const toolCall = { type: 'tool_call', id: '1', name: 'lookup', arguments: {} };
    const output = [
      { role: 'assistant', parts: [{ type: 'text', content: 'Let me see' }, toolCall] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: '1', response: 'rows' }] },
      { role: 'assistant', parts: [{ type: 'text', content: A }] },
    ];
    expect(mapBatch(batchOf(chat({ 'gen_ai.output.messages': output }))).items[0]?.answer).toEqual({ text: A });
  });

  it.each([
    [
      'a turn that asks for a tool',
      { 'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'tool_call' }] }] },
    ],
    [
      'a flattened turn that asks for a tool',
      { 'gen_ai.completion.0.tool_calls.0.name': 'x', 'gen_ai.completion.0.content': 'Let me see' },
    ],
    [
      'a turn of OpenInference that asks for a tool',
      {
        'output.value': '{"choices":[]}',
        'output.mime_type': 'application/json',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'x',
      },
    ],
    ['a question without an answer', { 'gen_ai.input.messages': INPUT }],
    ['an embedding', { 'gen_ai.operation.name': 'embeddings', 'gen_ai.prompt': Q, 'gen_ai.completion': A }],
    ['a tool', { 'openinference.span.kind': 'TOOL', 'input.value': Q, 'output.value': A }],
    ['a step of a workflow', { 'traceloop.span.kind': 'task', 'traceloop.entity.output': json(A) }],
    ['a request without content', { 'http.request.method': 'GET', 'gen_ai.request.model': 'm' }],
  ])('are not found in %s', (_, attributes) => {
    expect(mapBatch(batchOf(chat(attributes)))).toMatchObject({ items: [], rejected: [], ignored: 1 });
  });

  it('come from the text among blocks of Amazon Bedrock that an event holds as JSON', () => {
    const content = '[{"text": "Q"}, {"image": {"format": "png", "source": {"bytes": "secret"}}}]';
    const events = [event('gen_ai.user.message', { content }), event('gen_ai.choice', { message: 'A' })];
    expect(mapBatch(batchOf(span({ events }))).items).toMatchObject([{ question: { text: 'Q' } }]);
  });

  it('are no text that stands where one was left out to keep it secret', () => {
    for (const text of ['__REDACTED__', "[Scrubbed due to 'password']"]) {
      const attributes = {
        'gen_ai.input.messages': messages(['user', text]),
        'gen_ai.output.messages': messages(['assistant', 'A']),
      };
      expect(mapBatch(batchOf(span({ attributes }))).items).toMatchObject([{ question: null, answer: { text: 'A' } }]);
    }
  });

  it('are no text by which Python shows an object, but the text of a part that it shows', () => {
    const parts = [
      "{'type': 'input_text', 'text': 'It\\'s \\u00e9'}",
      "{'type': 'input_image', 'image_url': 'secret'}",
    ];
    const attributes = {
      'gen_ai.input.messages': [{ role: 'user', parts: parts.map((content) => ({ type: 'text', content })) }],
      'gen_ai.output.messages': messages(
        ['assistant', "ResponseFunctionToolCall(arguments='secret')"],
        ['assistant', 'A'],
      ),
    };
    expect(mapBatch(batchOf(span({ attributes }))).items).toMatchObject([
      { question: { text: "It's \u00e9" }, answer: { text: 'A' } },
    ]);
  });

  it('are not what an agent is told in the name of the user when another one hands over to it', () => {
    const asked = (told: string) => {
      const said = { 'gen_ai.input.messages': messages(['user', 'Q'], ['user', told]) };
      const attributes = { ...said, 'gen_ai.output.messages': messages(['assistant', 'A']) };
      return mapBatch(batchOf(span({ attributes }))).items.map(({ question }) => question?.text);
    };
    expect(asked('Transferred to billing, adopting the role of billing immediately.')).toEqual(['Q']);
    expect(asked('Transferred to billing?')).toEqual(['Transferred to billing?']);
  });

  it('are no calls of tools that are written as the text of a message', () => {
    const called = (name: string) => [
      { id: '1', type: 'function', function: { name, arguments: '{"word":"secret"}' } },
    ];
    const asking = JSON.stringify(called('lookup'));
    const answer = (text: string) => {
      const attributes = {
        'gen_ai.input.messages': messages(['user', 'Q']),
        'gen_ai.completion': JSON.stringify([{ role: 'assistant', content: text }]),
      };
      return mapBatch(batchOf(span({ attributes }))).items.map((item) => item.answer?.text);
    };
    expect(answer(asking)).toEqual([]);
    expect(answer('[{"type":"function"}]')).toEqual(['[{"type":"function"}]']);
  });

  it('are not what a framework says in the name of the user', () => {
    const feedback = 'It failed (this is automated feedback):\n<pyai:retry_feedback>\nno\n</pyai:retry_feedback>';
    const attributes = {
      'gen_ai.input.messages': messages(['user', 'Q'], ['assistant', 'draft'], ['user', feedback]),
      'gen_ai.output.messages': messages(['assistant', 'A']),
    };
    expect(mapBatch(batchOf(span({ attributes }))).items).toMatchObject([{ question: { text: 'Q' } }]);
  });

  it('are not what a model says before it asks for a tool, in a message of its own', () => {
    const call = { role: 'assistant', parts: [{ type: 'tool_call', name: 'lookup', arguments: {} }] };
    const said = (text: string) => ({ role: 'assistant', parts: [{ type: 'text', content: text }] });
    const given = { 'gen_ai.input.messages': messages(['user', 'Q']) };
    const answersOf = (...turns: readonly Plain[]) =>
      mapBatch(batchOf(span({ attributes: { ...given, 'gen_ai.output.messages': turns } }))).items.map(
        ({ answer }) => answer?.text,
      );
    expect(answersOf(said('Let me see.'), call)).toEqual([]);
    expect(answersOf(said('Let me see.'), call, said('A'))).toEqual(['A']);
  });

  it('are not what a model says beside a tool that only its finish reason shows', () => {
    const flattened = (reason: string) => ({
      'llm.request.type': 'chat',
      'gen_ai.completion.0.content': 'Let me see.',
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.finish_reason': reason,
    });
    const structured = (reason: string) => ({
      'gen_ai.output.messages': [
        { role: 'assistant', parts: [{ type: 'text', content: 'Let me see.' }], finish_reason: reason },
      ],
    });
    for (const attributesFor of [flattened, structured]) {
      const countOf = (reason: string) => mapBatch(batchOf(span({ attributes: attributesFor(reason) }))).items.length;
      expect([countOf('tool_calls'), countOf('tool_call'), countOf('stop')]).toEqual([0, 0, 1]);
    }
  });

  it('are an object though it ends with the tool by which it was written', () => {
    const parts = [{ type: 'text', content: '{"stars":5}' }];
    const attributes = { 'gen_ai.output.messages': [{ role: 'assistant', parts, finish_reason: 'tool_use' }] };
    expect(mapBatch(batchOf(span({ attributes }))).items).toMatchObject([{ answer: { text: '{"stars":5}' } }]);
  });

  it('may be missing from an item that is marked', () => {
    expect(mapBatch(batchOf(chat({ 'service.audit.idempotency_key': 'msg-1' }))).items).toMatchObject([
      { idempotencyKey: 'msg-1', question: null, answer: null },
    ]);
  });

  it.each([
    ['as JSON', (items: readonly Plain[]): Plain => json(items)],
    ['structured', (items: readonly Plain[]): Plain => items],
  ])('are the last and the first of as many messages as a request can hold, %s', (_, form) => {
    const texts = Array.from({ length: 200_000 }, () => '');
    const answered = chat({
      'gen_ai.input.messages': form([...texts, Q]),
      'gen_ai.output.messages': form([A, ...texts]),
    });
    expect(mapBatch(batchOf(answered)).items).toMatchObject([{ question: { text: Q }, answer: { text: A } }]);
  });

  it('survive numbers beyond 2^53, bytes and cut emoji elsewhere in messages', () => {
    const input = [
      { role: 'user', parts: [{ type: 'text', content: Q }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', response: [2n ** 60n, Number.NaN, new Uint8Array(2)] }] },
    ];
    const answered = chat({ 'gen_ai.input.messages': input, 'gen_ai.output.messages': OUTPUT });
    expect(mapBatch(batchOf(answered)).items[0]?.question).toEqual({ text: Q });
    const asText = '[{"role":"tool","parts":[{"response":{"id":1234567890123456789,"cut":"\\ud83d"}}]},';
    const inJson = chat({
      'gen_ai.input.messages': `${asText}${json(INPUT).slice(1)}`,
      'gen_ai.output.messages': OUTPUT,
    });
    expect(mapBatch(batchOf(inJson)).items[0]?.question).toEqual({ text: Q });
  });
});
