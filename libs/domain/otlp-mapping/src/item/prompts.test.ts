import { describe, expect, it } from '@jest/globals';
import { batchOf, messages, type Plain, span } from '../../fixtures/items.ts';
import { mapBatch, type OtlpItem } from '../index.ts';

const DOCUMENT = 'Goods may be returned within thirty days of delivery, with the receipt.';

const call = (message: string, more: { readonly [key: string]: Plain } = {}) =>
  span({
    id: 2,
    parent: 1,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': messages(['system', 'secret'], ['user', message]),
      'gen_ai.output.messages': messages(['assistant', 'A']),
      ...more,
    },
  });
const retriever = (query: string, content = DOCUMENT) =>
  span({
    id: 3,
    parent: 1,
    attributes: {
      'openinference.span.kind': 'RETRIEVER',
      'input.value': query,
      'retrieval.documents.0.document.id': 'doc-1',
      'retrieval.documents.0.document.content': content,
    },
  });
const root = span({ id: 1, attributes: { 'http.route': '/ask' } });

/** The only question that items leave. */
function questionOf(...items: readonly OtlpItem[]): string | null | undefined {
  const forwards = mapBatch(batchOf(...items, root)).items.map(({ question }) => question?.text ?? null);
  const backwards = mapBatch(batchOf(root, ...items.toReversed())).items.map(({ question }) => question?.text ?? null);
  expect(backwards).toEqual(forwards);
  expect(forwards).toHaveLength(1);
  return forwards[0];
}

describe('the question of a call beside which documents were retrieved', () => {
  it('is its message, where no document is in it', () => {
    expect(questionOf(call('How long may I return it?'), retriever('return'))).toBe('How long may I return it?');
    const short = retriever('return', 'return');
    expect(questionOf(call('How long may I return it?'), short)).toBe('How long may I return it?');
  });

  it('is what was searched for, where that and a document are in its message', () => {
    const prompt = `Use this:\n${DOCUMENT}\n\nQuestion: How long?`;
    expect(questionOf(call(prompt), retriever('How long?'))).toBe('How long?');
    expect(questionOf(call(prompt), retriever('How long?', `  ${DOCUMENT}`))).toBe('How long?');
  });

  it('is none, where a document is in its message and the search was for something else', () => {
    const prompt = `Use this:\n${DOCUMENT}\n\nQuestion: How long?`;
    expect(questionOf(call(prompt), retriever('returns policy duration'))).toBeNull();
    expect(questionOf(call(prompt), retriever(''))).toBeNull();
  });

  it.each([12, 23, 24, 47, 48, 71])('is none, where the first %d characters of one are all of it', (length) => {
    const document = DOCUMENT.slice(0, length);
    expect(questionOf(call(`(${document})`), retriever('other', document))).toBeNull();
    expect(
      questionOf(call(`${document.slice(0, 11)} ${document.slice(11)}`), retriever('other', document)),
    ).not.toBeNull();
  });

  it('is never a document, also where the search was for its text', () => {
    expect(questionOf(call(`Use: ${DOCUMENT}`), retriever(DOCUMENT))).toBeNull();
  });

  it('is what was searched for, where a template was filled in and documents are only named', () => {
    const found = span({
      id: 3,
      parent: 1,
      attributes: {
        'gen_ai.operation.name': 'retrieval',
        'gen_ai.retrieval.query.text': 'How long?',
        'gen_ai.retrieval.documents': '[{"id":"doc-1"}]',
      },
    });
    const variables = { 'gen_ai.prompt.variable.facts': 'unknown', 'gen_ai.prompt.variable.topic': 'How long?' };
    expect(questionOf(call('By unknown: How long?', variables), found)).toBe('How long?');
    expect(questionOf(call('By unknown: How many?', variables), found)).toBeNull();
    expect(questionOf(call('By unknown: How many?'), found)).toBe('By unknown: How many?');
    // Without variables, lines around what was searched for may be documents; a sentence around it is a question.
    expect(questionOf(call('By unknown\n\nHow long?'), found)).toBe('How long?');
    expect(questionOf(call('By unknown\n\nHow many?'), found)).toBeNull();
    expect(questionOf(call('Well: How long?'), found)).toBe('Well: How long?');
    // Without a retrieval a filled-in template is what was asked.
    expect(questionOf(call('By unknown: How many?', variables))).toBe('By unknown: How many?');
  });

  it('is what was searched for, where it is not shown what was found', () => {
    const attributes = { 'gen_ai.operation.name': 'retrieval', 'gen_ai.retrieval.query.text': 'How long?' };
    const search = span({ id: 3, parent: 1, attributes });
    expect(questionOf(call('From secret\n\nHow long?'), search)).toBe('How long?');
    expect(questionOf(call('From secret\n\nHow many?'), search)).toBeNull();
    const nothing = span({ id: 3, parent: 1, attributes: { ...attributes, 'gen_ai.retrieval.documents': '[]' } });
    expect(questionOf(call('How long?\nWith the receipt'), nothing)).toBe('How long?\nWith the receipt');
  });

  it('is its message, where that was there before documents were searched for', () => {
    const lines = 'How long?\n1. With the receipt\n2. Without';
    const found = {
      ...span({
        id: 3,
        parent: 1,
        attributes: { 'gen_ai.retrieval.query.text': 'returns', 'gen_ai.retrieval.documents': '[{"id":"doc-1"}]' },
      }),
      startTimeUnixNano: 1_100n,
    };
    expect(questionOf(call(lines), found)).toBe(lines);
    expect(questionOf(call(lines), { ...found, startTimeUnixNano: 900n })).toBeNull();
    // A call that asked for the search had the same message before.
    const asking = {
      ...call(lines, { 'gen_ai.output.messages': '[]' }),
      spanId: 'a'.repeat(16),
      startTimeUnixNano: 800n,
    };
    expect(questionOf(call(lines), { ...found, startTimeUnixNano: 900n }, asking)).toBe(lines);
    // What the documents say is known: a message that has it is a prompt, whatever the times say.
    const prompt = `Use this:\n${DOCUMENT}\n\nQuestion: How long?`;
    expect(questionOf(call(prompt), { ...retriever('returns'), startTimeUnixNano: 1_100n })).toBeNull();
  });

  it('is none, where a store of vectors was searched before it and its message has several lines', () => {
    const search = span({ id: 3, parent: 1, attributes: { 'db.system': 'Qdrant', 'db.vector.query.top_k': 3 } });
    const asked = (message: string) => questionOf({ ...call(message), startTimeUnixNano: 1_500n }, search);
    expect(asked(`Use this:\n${DOCUMENT}\n\nQuestion: How long?`)).toBeNull();
    expect(asked('How long may I return it?')).toBe('How long may I return it?');
  });

  it('takes time linear in the message', () => {
    const documents = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [`retrieval.documents.${n}.document.content`, `${n} ${DOCUMENT}`]),
    );
    const attributes = { 'openinference.span.kind': 'RETRIEVER', ...documents };
    const long = 'x'.repeat(60_000);
    expect(questionOf(call(long), span({ id: 3, parent: 1, attributes }))).toBe(long);
  });
});
