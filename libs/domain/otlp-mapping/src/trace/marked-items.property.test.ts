import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { batchOf, log, messages, type Plain, span } from '../../fixtures/items.ts';
import { mapBatch, type OtlpItem } from '../index.ts';

/** What a marked item may say besides. */
const SAID: readonly { readonly [key: string]: Plain }[] = [
  { 'service.audit.question_text': 'asked', 'service.audit.answer_text': 'answered' },
  { 'service.audit.answer_text': 7 },
  { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'helper' },
  {
    'gen_ai.operation.name': 'chat',
    'gen_ai.output.messages': messages(['assistant', 'said']),
    'gen_ai.request.model': 'm',
  },
  { 'openinference.span.kind': 'RETRIEVER', 'retrieval.documents.0.document.id': 'doc' },
  { 'openinference.span.kind': 'GUARDRAIL', 'output.value': '{"passed":true}' },
  {},
];

const marked: fc.Arbitrary<readonly OtlpItem[]> = fc
  .array(
    fc.record({ above: fc.nat(9), isLog: fc.boolean(), hasFailed: fc.boolean(), said: fc.constantFrom(...SAID) }),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((drawn) =>
    drawn.map(({ above, isLog, hasFailed, said }, n) => {
      const attributes = { 'service.audit.idempotency_key': `key-${n}`, ...said };
      if (isLog) return log({ id: n + 1, attributes });
      return { ...span({ id: n + 1, attributes, ...(above > 0 && { parent: above }) }), statusCode: hasFailed ? 2 : 0 };
    }),
  );

describe('marked items', () => {
  it('are the same answers whether or not something that is no answer came with them', () => {
    const other = span({ id: 1, trace: 'f'.repeat(32), attributes: { 'http.route': '/ask' } });
    fc.assert(
      fc.property(marked, (items) => {
        const { ignored, ...alone } = mapBatch(batchOf(...items));
        expect(mapBatch(batchOf(...items, other))).toEqual({ ...alone, ignored: ignored + 1 });
      }),
    );
  });
});
