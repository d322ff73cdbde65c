import { describe, expect, it } from '@jest/globals';
import { batchOf, event, log, messages, type Plain, span, spanIdOf, TRACE_ID } from '../../fixtures/items.ts';
import { mapBatch } from '../index.ts';

const spoken = (text: string): { readonly [key: string]: Plain } => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': messages(['user', `${text}?`]),
  'gen_ai.output.messages': messages(['assistant', text]),
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
      mapBatch(batchOf(span({ id: 1 }), retriever, ...calls(count))).items.map(({ sourceRefs }) => sourceRefs.length);
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
