import { describe, expect, it } from '@jest/globals';
import { callOf, recordsOf } from '../../fixtures/answers.ts';
import { batchOf, messages, type Plain, span } from '../../fixtures/items.ts';
import { explainBatch, readForExplanation } from '../index.ts';

const DRAFT = 'You get it in two days.';
const TOLD = `Dear customer: ${DRAFT} Regards`;
const ASKED = { customer_question: 'When do I get it?' };

type Texts = Readonly<Record<string, Plain>>;

/** How instrumentations show a graph or a function with its state, by what it was given and what it gave back. */
const CARRIERS: Readonly<Record<string, (given: Texts, made: Texts) => Texts>> = {
  openinference: (given, made) => ({
    'openinference.span.kind': 'CHAIN',
    'input.value': JSON.stringify(given),
    'output.value': JSON.stringify(made),
    'output.mime_type': 'application/json',
  }),
  langfuse: (given, made) => ({
    'langfuse.observation.type': 'chain',
    'langfuse.observation.input': JSON.stringify(given),
    'langfuse.observation.output': JSON.stringify(made),
  }),
  mlflow: (given, made) => ({
    'mlflow.spanType': JSON.stringify('CHAIN'),
    'mlflow.spanInputs': JSON.stringify(given),
    'mlflow.spanOutputs': JSON.stringify(made),
  }),
  traceloop: (given, made) => ({
    'traceloop.span.kind': 'workflow',
    'traceloop.entity.input': JSON.stringify({ inputs: given }),
    'traceloop.entity.output': JSON.stringify({ outputs: made }),
  }),
};

const draft = callOf(2, DRAFT, messages(['user', 'SECRET Answer the customer: When do I get it?']), 1);

describe.each(Object.entries(CARRIERS))('a graph whose state names no answer, by %s', (_, show) => {
  const graph = (made: Texts, given: Texts = ASKED, id = 1, parent?: number) =>
    span({ id, ...(parent === undefined ? {} : { parent }), attributes: show(given, { ...given, ...made }) });

  it('has the text of a model that is in its state', () => {
    expect(recordsOf(graph({ email: DRAFT, category: 'delivery' }), draft)).toEqual([[ASKED.customer_question, DRAFT]]);
    expect(recordsOf(graph({ email: `${DRAFT}\n` }), draft)).toEqual([[ASKED.customer_question, DRAFT]]);
  });

  it.each<[why: string, made: Texts]>([
    ['beside the draft', { draft: DRAFT, reply_to_customer: TOLD }],
    ['before it', { reply_to_customer: TOLD, draft: DRAFT }],
    ['in its place', { reply_to_customer: TOLD }],
    ['that is another one', { draft: DRAFT, reply_to_customer: 'I cannot help with that.' }],
    ['in a language without spaces', { draft: DRAFT, reply_to_customer: '承知しました。' }],
    ['in what a node gave back', { polish: { reply_to_customer: TOLD } }],
  ])('is no record by a sentence that no model wrote, %s', (_why, made) => {
    expect(recordsOf(graph(made), draft)).toEqual([]);
    expect(recordsOf(span({ id: 9 }), { ...graph(made), parentSpanId: span({ id: 9 }).spanId }, draft)).toEqual([]);
  });

  it('says why', () => {
    const { items } = explainBatch(readForExplanation(batchOf(graph({ draft: DRAFT, reply: TOLD }), draft)), []);
    expect(items).toMatchObject([
      { outcome: 'ignored', reason: 'unread_state', detail: expect.stringContaining('only a rule of its application') },
      { outcome: 'ignored', reason: 'other_operation' },
    ]);
  });

  it('was asked the only text that it was given, whatever is filled in later', () => {
    const given = { topic: 'When do I get it?', parts: [], report: '', count: 0, done: false, user: null };
    expect(recordsOf(graph({ report: DRAFT }, given), draft)).toEqual([['When do I get it?', DRAFT]]);
  });

  it('is a record where a sentence was given, written by another call, or in its JSON', () => {
    const asked = { ...ASKED, note: 'Be kind to this one.' };
    expect(recordsOf(graph({ email: DRAFT }, asked), draft)).toEqual([[expect.anything(), DRAFT]]);
    const judged = callOf(3, '```json\n{"remark": "It is too short."}\n```', messages(['user', 'Judge']), 1);
    const earlier = { ...judged, endTimeUnixNano: 1n };
    expect(recordsOf(graph({ email: DRAFT, remark: 'It is too short.' }), draft, earlier)).toEqual([
      [ASKED.customer_question, DRAFT],
    ]);
  });

  it('is a record where only labels, documents, lists and what is about it are its own', () => {
    const own = {
      status: 'sent',
      at: '2026-11-28 10:00',
      context: 'SECRET of a document',
      pages: ['SECRET of a page'],
    };
    expect(recordsOf(graph({ email: DRAFT, ...own, metadata: { thread: 'SECRET name' } }), draft)).toEqual([
      [ASKED.customer_question, DRAFT],
    ]);
  });

  it('leaves the record to the run around it, if that shows the same text', () => {
    const inner = graph({ email: DRAFT, note: 'Written by the node.' }, ASKED, 1, 8);
    expect(recordsOf(graph({ email: DRAFT }, ASKED, 8), inner, draft)).toEqual([[ASKED.customer_question, DRAFT]]);
    expect(recordsOf(graph({ status: 'sent' }, ASKED, 8), inner, draft)).toEqual([]);
  });
});
