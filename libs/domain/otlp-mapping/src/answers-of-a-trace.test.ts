import { describe, expect, it } from '@jest/globals';
import { batchOf, event, log, messages, type Plain, span, spanIdOf, TRACE_ID } from '../fixtures/items.ts';
import { mapBatch, type OtlpItem } from './index.ts';

const spoken = (text: string): { readonly [key: string]: Plain } => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': messages(['user', `${text}?`]),
  'gen_ai.output.messages': messages(['assistant', text]),
});
const OTHER_TRACE = 'f'.repeat(32);

/** Answers of a batch, as texts. */
function answersOf(...items: readonly OtlpItem[]): readonly (string | undefined)[] {
  return mapBatch(batchOf(...items)).items.map(({ answer }) => answer?.text);
}

describe('the answers of a trace', () => {
  it('are the outermost spans with an answer, whatever stands between them and the calls below', () => {
    const agent = span({ id: 2, parent: 1, attributes: spoken('agent') });
    const step = span({ id: 3, parent: 2 });
    const call = span({ id: 4, parent: 3, attributes: spoken('call') });
    const root = span({ id: 1, attributes: { 'http.route': '/ask' } });
    // Children end, and so are sent, before their parents.
    expect(mapBatch(batchOf(call, step, agent, root))).toMatchObject({
      items: [{ index: 2, idempotencyKey: `otlp:${TRACE_ID}:${spanIdOf(2)}`, answer: { text: 'agent' } }],
      ignored: 3,
    });
  });

  it('are one, however deep what it calls is nested', () => {
    const deep = Array.from({ length: 2_000 }, (_, n) => {
      return span({ id: n + 1, ...(n === 0 ? {} : { parent: n }), attributes: spoken(`${n}`) });
    });
    expect(answersOf(...deep)).toEqual(['0']);
    expect(answersOf(...deep.toReversed())).toEqual(['0']);
  });

  it('are all of them where none is below another', () => {
    const one = span({ id: 2, parent: 1, attributes: spoken('one') });
    const two = span({ id: 3, parent: 1, attributes: spoken('two') });
    const elsewhere = span({ id: 2, parent: 1, trace: OTHER_TRACE, attributes: spoken('three') });
    expect(answersOf(one, two, elsewhere)).toEqual(['one', 'two', 'three']);
  });

  it('are none below a tool or a guardrail, beside another', () => {
    const attributes = { 'openinference.span.kind': 'GUARDRAIL' };
    const root = span({ id: 1 });
    const guard = span({ id: 2, parent: 1, attributes });
    const agent = span({ id: 3, parent: 2 });
    const check = span({ id: 4, parent: 3, attributes: spoken('check') });
    const call = span({ id: 5, parent: 1, attributes: spoken('call') });
    expect(answersOf(check, agent, guard, call, root)).toEqual(['call']);
    expect(answersOf(root, call, guard, agent, check)).toEqual(['call']);
    // A server of tools has nothing else in the trace of a call.
    expect(answersOf(check, agent, guard, root)).toEqual(['check']);
    const marked = span({
      id: 6,
      parent: 2,
      attributes: { ...spoken('marked'), 'service.audit.idempotency_key': 'k' },
    });
    expect(answersOf(marked, call, guard, root)).toEqual(['marked']);
  });

  it('are none below a check that is part of an agent, also where nothing else answers', () => {
    const template = { 'logfire.msg_template': 'Guardrail {name!r} {triggered=}' };
    for (const attributes of [{ 'openinference.span.kind': 'GUARDRAIL' }, template]) {
      const agent = span({ id: 1, attributes: { 'openinference.span.kind': 'AGENT' } });
      const guard = span({ id: 2, parent: 1, attributes });
      const check = span({ id: 3, parent: 2, attributes: spoken('check') });
      expect(answersOf(check, guard, agent)).toEqual([]);
      const call = span({ id: 4, parent: 1, attributes: spoken('call') });
      expect(answersOf(check, guard, call, agent)).toEqual(['call']);
    }
  });

  it('are one for a run of agents that shows none: the first question and the last answer of their calls', () => {
    const run = (id: number, parent?: number) =>
      span({ id, ...(parent && { parent }), attributes: { 'gen_ai.operation.name': 'invoke_agent' } });
    const at = (item: ReturnType<typeof span>, start: bigint) => ({
      ...item,
      startTimeUnixNano: start,
      endTimeUnixNano: start + 1n,
    });
    const first = at(span({ id: 4, parent: 2, attributes: spoken('first') }), 10n);
    const last = at(span({ id: 5, parent: 3, attributes: spoken('last') }), 30n);
    const tool = span({ id: 6, parent: 3, attributes: { 'gen_ai.operation.name': 'execute_tool' } });
    const inner = at(span({ id: 7, parent: 6, attributes: spoken('inner') }), 5n);
    const check = span({ id: 8, parent: 3, attributes: { 'openinference.span.kind': 'GUARDRAIL' } });
    const judged = at(span({ id: 9, parent: 8, attributes: spoken('judged') }), 40n);
    const items = [first, run(2, 1), last, inner, tool, judged, check, run(3, 1), run(1)];
    for (const order of [items, items.toReversed()]) {
      expect(mapBatch(batchOf(...order)).items).toMatchObject([
        { idempotencyKey: `otlp:${TRACE_ID}:${spanIdOf(1)}`, question: { text: 'first?' }, answer: { text: 'last' } },
      ]);
    }
    expect(answersOf(run(1))).toEqual([]);
  });

  it('are one for a run that shows none: the texts of the outermost spans below it that show any', () => {
    const shown = (id: number, parent: number, [from, to]: readonly [bigint, bigint], text: string) => ({
      ...span({ id, parent, attributes: { 'openinference.span.kind': 'CHAIN', ...spoken(text) } }),
      startTimeUnixNano: from,
      endTimeUnixNano: to,
    });
    const runs: readonly { readonly [key: string]: Plain }[] = [
      { 'gen_ai.operation.name': 'invoke_workflow' },
      { 'openinference.span.kind': 'AGENT' },
    ];
    for (const attributes of runs) {
      const items = [
        shown(3, 2, [5n, 6n], 'step'),
        shown(2, 1, [4n, 7n], 'first'),
        shown(4, 1, [8n, 9n], 'last'),
        span({ id: 1, attributes }),
      ];
      for (const order of [items, items.toReversed()]) {
        const found = mapBatch(batchOf(...order)).items;
        expect(found.map(({ question, answer }) => [question?.text, answer?.text])).toEqual([['first?', 'last']]);
      }
    }
  });

  it('are the marked ones only, in a trace that has such', () => {
    const marked = { ...spoken('call'), 'service.audit.idempotency_key': 'msg-1' };
    const agent = span({ id: 1, attributes: spoken('agent') });
    const call = span({ id: 2, parent: 1, attributes: marked });
    const elsewhere = span({ id: 1, trace: OTHER_TRACE, attributes: spoken('other') });
    expect(mapBatch(batchOf(agent, call, elsewhere)).items.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      'msg-1',
      `otlp:${OTHER_TRACE}:${spanIdOf(1)}`,
    ]);
  });

  it('are the marked ones only, where the resource says so', () => {
    const resource = { 'service.name': 'support-bot', 'service.audit.answers': 'marked' };
    const marked = { 'service.audit.idempotency_key': 'msg-1', ...spoken('marked') };
    const one = span({ id: 1, resource, attributes: spoken('one') });
    const two = span({ id: 2, trace: OTHER_TRACE, resource, attributes: marked });
    expect(answersOf(one, two)).toEqual(['marked']);
  });

  it('are found in spans that are their own ancestors', () => {
    const self = span({ id: 1, parent: 1, attributes: spoken('self') });
    const a = span({ id: 2, parent: 3, attributes: spoken('a') });
    const b = span({ id: 3, parent: 2, attributes: spoken('b') });
    expect(answersOf(self, a, b)).toEqual(['self', 'a', 'b']);
  });

  it('take no part of the answer of another span of the conversation', () => {
    const user = (n: number, content: string) => log({ id: n, event: 'gen_ai.user.message', body: { content } });
    const choice = (n: number, content: string) =>
      log({ id: n, event: 'gen_ai.choice', body: { index: 0, message: { content } } });
    const mapped = mapBatch(batchOf(user(1, 'q1'), user(2, 'q2'), choice(2, 'a2'), choice(1, 'a1'), user(0, 'q0')));
    expect(mapped.items).toMatchObject([
      { index: 2, question: { text: 'q2' }, answer: { text: 'a2' } },
      { index: 3, question: { text: 'q1' }, answer: { text: 'a1' } },
    ]);
    expect(mapped.ignored).toBe(3);
  });
});

describe('source refs of an answer', () => {
  const retrieval = {
    'gen_ai.operation.name': 'retrieval',
    'gen_ai.data_source.id': 'faq',
    'gen_ai.retrieval.query.text': 'secret query',
    'gen_ai.retrieval.documents': JSON.stringify([
      { id: 'doc-1', score: 0.5, content: 'text of one', url: 'https://private.example' },
      { content: 'text of two' },
      { url: 'neither id nor content' },
    ]),
  };
  const REFS = [
    {
      source_type: 'retrieved_document',
      source_name: 'doc-1',
      // printf 'text of one' | sha256sum
      source_hash: 'sha256:7410ee9328e7ccc2c589556087eb02de2e997a31dd453cc60b0c261349f406ff',
      score: 0.5,
      data_source_id: 'faq',
      trace_id: TRACE_ID,
      span_id: spanIdOf(2),
    },
    {
      source_type: 'retrieved_document',
      source_hash: 'sha256:6a73ae2858cd23747ea52bc5da01916d0ff1524263ffc54ebe0799707b2a31d6',
      data_source_id: 'faq',
      trace_id: TRACE_ID,
      span_id: spanIdOf(2),
    },
  ];

  it('are the documents that were retrieved for it, with hashes in the place of contents', () => {
    const root = span({ id: 1 });
    const retriever = span({ id: 2, parent: 1, attributes: retrieval });
    const call = span({ id: 3, parent: 1, attributes: spoken('call') });
    expect(mapBatch(batchOf(retriever, call, root)).items[0]?.sourceRefs).toEqual(REFS);
    expect(mapBatch(batchOf(retriever, call)).items[0]?.sourceRefs).toEqual(REFS);
  });

  it('are reported once, where a retriever calls another one', () => {
    const outer = span({ id: 2, parent: 1, attributes: retrieval });
    const inner = span({ id: 4, parent: 2, attributes: retrieval });
    const call = span({ id: 3, parent: 1, attributes: spoken('call') });
    expect(mapBatch(batchOf(inner, call, outer, span({ id: 1 }))).items[0]?.sourceRefs).toEqual(REFS);
  });

  it('are those of its own request where a trace has several', () => {
    const items = [1, 2].flatMap((n) => [
      span({ id: 10 * n, parent: 1 }),
      span({
        id: 10 * n + 1,
        parent: 10 * n,
        attributes: { 'retrieval.documents.0.document.id': `doc-${n}`, 'retrieval.documents.0.document.score': n },
      }),
      span({ id: 10 * n + 2, parent: 10 * n, attributes: spoken(`answer ${n}`) }),
    ]);
    const { items: answers } = mapBatch(batchOf(span({ id: 1 }), ...items));
    expect(answers.map(({ sourceRefs }) => sourceRefs.map((ref) => [ref['source_name'], ref['score']]))).toEqual([
      [['doc-1', 1]],
      [['doc-2', 2]],
    ]);
  });

  it('have the name and the address of their metadata, without what gives access', () => {
    const document = (n: number, id: string, metadata: Plain) => ({
      [`retrieval.documents.${n}.document.id`]: id,
      [`retrieval.documents.${n}.document.metadata`]: JSON.stringify(metadata),
    });
    const attributes = {
      ...document(0, 'one', { title: 'Returns', url: 'https://me:secret@example.com/returns?token=secret#secret' }),
      ...document(1, 'two', { source: 'docs/returns.md', relevance_score: 0.5 }),
      ...document(2, 'three', { pages: 3 }),
    };
    const retriever = span({ id: 2, parent: 1, attributes });
    const { items } = mapBatch(batchOf(retriever, span({ id: 1, attributes: spoken('call') })));
    const common = { source_type: 'retrieved_document', trace_id: TRACE_ID, span_id: spanIdOf(2) };
    expect(items[0]?.sourceRefs).toEqual([
      { ...common, source_name: 'Returns', source_uri: 'https://example.com/returns', document_id: 'one' },
      { ...common, source_name: 'docs/returns.md', source_uri: 'docs/returns.md', document_id: 'two', score: 0.5 },
      { ...common, source_name: 'three' },
    ]);
  });

  it.each([
    ['langfuse.observation.type', 'retriever', 'langfuse.observation.output'],
    ['langsmith.span.kind', 'retriever', 'gen_ai.completion'],
    ['mlflow.spanType', '"RETRIEVER"', 'mlflow.spanOutputs'],
  ])('are read where %s is %s, and only there', (kind, value, output) => {
    const documents = JSON.stringify([{ id: 'doc-1', text: 'text of one', metadata: { source: 'a.md' } }]);
    const refsOf = (attributes: { readonly [key: string]: Plain }) => {
      const batch = batchOf(span({ id: 2, parent: 1, attributes }), span({ id: 1, attributes: spoken('call') }));
      return mapBatch(batch).items[0]?.sourceRefs.map((ref) => [ref['source_name'], ref['source_hash']]);
    };
    expect(refsOf({ [kind]: value, [output]: documents })).toEqual([['a.md', REFS[0]?.source_hash]]);
    expect(refsOf({ [kind]: 'span', [output]: documents })).toEqual([]);
  });

  it('are read from the events of vector stores, in the order of the documents', () => {
    const events = [
      event('db.query.result', {
        'db.query.result.id': 'b',
        'db.query.result.distance': 0.1,
        'db.query.result.metadata': JSON.stringify({ source: 'b.md', secret: 'secret' }),
      }),
      event('db.search.result', { 'db.search.result.id': 7, 'db.search.result.score': 0.2 }),
    ];
    const store = span({ id: 2, parent: 1, events });
    const { items } = mapBatch(batchOf(store, span({ id: 1, attributes: spoken('call') })));
    expect(items[0]?.sourceRefs.map((ref) => [ref['source_name'], ref['source_uri'], ref['score']])).toEqual([
      ['b.md', 'b.md', undefined],
      ['7', undefined, 0.2],
    ]);
  });

  it('are not documents that any of many answers may have used', () => {
    const retriever = span({ id: 2, parent: 1, attributes: retrieval });
    const calls = (count: number) =>
      Array.from({ length: count }, (_, n) => span({ id: n + 3, parent: 1, attributes: spoken(`${n}`) }));
    const countsOf = (count: number) =>
      mapBatch(batchOf(retriever, ...calls(count))).items.map(({ sourceRefs }) => sourceRefs.length);
    expect(countsOf(8)).toEqual(Array.from({ length: 8 }, () => 2));
    expect(countsOf(9)).toEqual(Array.from({ length: 9 }, () => 0));
  });

  it('are what the sender says and nothing else, where it says it', () => {
    const said = { ...spoken('call'), 'service.audit.source_refs': '[{"source_name":"faq.md"}]' };
    const retriever = span({ id: 2, parent: 1, attributes: retrieval });
    const { items } = mapBatch(batchOf(retriever, span({ id: 1, attributes: said })));
    expect(items[0]?.sourceRefs).toEqual([{ source_name: 'faq.md' }]);
  });

  it('are the first 200, each once', () => {
    const documents = Array.from({ length: 300 }, (_, n) => ({ id: `doc-${n % 250}` }));
    const retriever = span({ id: 2, parent: 1, attributes: { 'gen_ai.retrieval.documents': documents } });
    const { items } = mapBatch(batchOf(retriever, span({ id: 1, attributes: spoken('call') })));
    expect(items[0]?.sourceRefs.map((ref) => ref['source_name'])).toEqual(
      Array.from({ length: 200 }, (_, n) => `doc-${n}`),
    );
  });
});

describe('semantic refs of an answer', () => {
  it('name the models that had a part in it, and how it was judged', () => {
    const model = (name: string) => ({
      'gen_ai.system': 'openai',
      'gen_ai.request.model': name,
      'gen_ai.response.finish_reasons': ['stop'],
    });
    const judged = event('gen_ai.evaluation.result', {
      'gen_ai.evaluation.name': 'relevance',
      'gen_ai.evaluation.score.value': 0.9,
      'gen_ai.evaluation.score.label': 'relevant',
      'gen_ai.evaluation.explanation': 'free text',
    });
    const agent = span({ id: 1, attributes: { ...spoken('agent'), ...model('big') }, events: [judged] });
    const calls = [2, 3].map((id) => span({ id, parent: 1, attributes: { ...spoken('call'), ...model('small') } }));
    const { items } = mapBatch(batchOf(...calls, agent));
    const ref = (name: string) => ({
      ref_type: 'model',
      operation: 'chat',
      provider: 'openai',
      request_model: name,
      finish_reasons: ['stop'],
    });
    expect(items[0]?.semanticRefs).toEqual([
      ref('big'),
      { ref_type: 'evaluation', name: 'relevance', score_value: 0.9, score_label: 'relevant' },
      ref('small'),
    ]);
  });

  it('hold a judgement in a log record that names the response, where its trace has several', () => {
    const details = (id: number) =>
      log({
        id,
        event: 'gen_ai.client.inference.operation.details',
        attributes: { ...spoken(`answer ${id}`), 'gen_ai.response.id': `resp-${id}` },
      });
    const judged = log({
      id: 9,
      event: 'gen_ai.evaluation.result',
      attributes: { 'gen_ai.evaluation.name': 'relevance', 'gen_ai.response.id': 'resp-2' },
    });
    const { items } = mapBatch(batchOf(details(1), details(2), judged));
    expect(items.map(({ semanticRefs }) => semanticRefs)).toEqual([
      [],
      [{ ref_type: 'evaluation', name: 'relevance', response_id: 'resp-2' }],
    ]);
  });
});
