import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { OtlpApplicationRules, OtlpRule } from '@answer-evidence/contracts';
import { batchOf, log, messages, span } from '../../fixtures/items.ts';
import type { OtlpItem } from '../item/otlp-item.ts';
import { reduceItems } from '../read/reduced-item.ts';
import { decideItems } from '../trace/map-batch.ts';
import { applyRules } from './apply-rules.ts';
import { findFacts } from './rule-facts.ts';

const SCOPES = ['openinference.langchain', 'openinference.openai', 'app'] as const;
const OPERATIONS = ['chat', 'invoke_agent', 'invoke_workflow'] as const;
const STAGES = ['draft', 'final', 7, true] as const;

/** Spans with contents below one another, some of them marked, and log records. */
const items: fc.Arbitrary<readonly OtlpItem[]> = fc
  .array(
    fc.record({
      above: fc.nat(),
      isLog: fc.boolean(),
      isMarked: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      scope: fc.constantFrom(...SCOPES),
      operation: fc.constantFrom(...OPERATIONS),
      stage: fc.constantFrom(...STAGES),
      spanKind: fc.nat(5),
    }),
    { minLength: 1, maxLength: 10 },
  )
  .map((drawn) =>
    drawn.map(({ above, isLog, isMarked, scope, operation, stage, spanKind }, n): OtlpItem => {
      const attributes = {
        'gen_ai.operation.name': operation,
        'gen_ai.input.messages': messages(['user', `question ${n}`]),
        'gen_ai.output.messages': messages(['assistant', `answer ${n}`]),
        'app.stage': stage,
        ...(isMarked ? { 'service.audit.idempotency_key': `key-${n}` } : {}),
      };
      const parent = n === 0 ? {} : { parent: (above % n) + 1 };
      const item = isLog ? log({ id: n + 1, attributes }) : { ...span({ id: n + 1, attributes, ...parent }), spanKind };
      return { ...item, scope: { name: scope, version: '' } };
    }),
  )
  .map((made) => batchOf(...made).items);

const rule: fc.Arbitrary<OtlpRule> = fc.record(
  {
    scope_name: fc.constantFrom(...SCOPES, 'openinference.*', '*'),
    operation_name: fc.constantFrom(...OPERATIONS),
    span_kind: fc.constantFrom('internal', 'client', 'server'),
    is_root: fc.boolean(),
    attributes: fc.constantFrom(...STAGES).map((value) => [{ name: 'app.stage', value }]),
  },
  { requiredKeys: [] },
);
const rules: fc.Arbitrary<OtlpApplicationRules> = fc.record({
  application_key: fc.constant('support-bot'),
  answers: fc.constant('all' as const),
  include: fc.array(rule, { maxLength: 3 }),
  exclude: fc.array(rule, { maxLength: 3 }),
});

function apply(given: readonly OtlpItem[], of: OtlpApplicationRules) {
  const reduced = reduceItems(given);
  return applyRules(reduced, findFacts(given, reduced), [of]);
}
const answersOf = (given: readonly OtlpItem[], of: OtlpApplicationRules) => decideItems(apply(given, of).items).items;

/** The rules in the words of the documentation, written by themselves. */
function isMatch(item: OtlpItem, { scope_name, operation_name, span_kind, is_root, attributes }: OtlpRule): boolean {
  const value = (name: string) => item.attributes.find(({ key }) => key === name)?.value;
  const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];
  const wanted = [
    scope_name === undefined || item.scope.name === scope_name || scope_name === '*',
    operation_name === undefined || value('gen_ai.operation.name') === operation_name,
    span_kind === undefined || (item.kind === 'span' && kinds[item.spanKind] === span_kind),
    is_root === undefined || (item.kind === 'span' && (item.parentSpanId === null) === is_root),
    (attributes ?? []).every((attribute) => value(attribute.name) === attribute.value),
  ];
  if (scope_name === 'openinference.*') wanted[0] = item.scope.name.startsWith('openinference.');
  return wanted.every(Boolean);
}
const isMarked = (item: OtlpItem) => item.attributes.some(({ key }) => key === 'service.audit.idempotency_key');

describe('rules', () => {
  it('give a verdict on an item exactly if it is not marked and excluded, or not included where something is', () => {
    fc.assert(
      fc.property(items, rules, (given, of) => {
        const { verdicts } = apply(given, of);
        for (const item of given) {
          const isExcluded = of.exclude.some((one) => isMatch(item, one));
          const isIncluded = of.include.length === 0 || of.include.some((one) => isMatch(item, one));
          const reason = isExcluded ? 'excluded_by_rule' : isIncluded ? undefined : 'not_included_by_rule';
          expect(verdicts.get(item.index)?.reason).toBe(isMarked(item) ? undefined : reason);
        }
      }),
    );
  });

  it('leave a record of no item with a verdict, and of the outermost items without one', () => {
    fc.assert(
      fc.property(items, rules, (given, of) => {
        const { verdicts } = apply(given, of);
        const allowed = given.filter(({ index }) => !verdicts.has(index));
        const texts = ({ question, answer, spanId }: { question: unknown; answer: unknown; spanId: string | null }) =>
          JSON.stringify([question, answer, spanId]);
        const made = answersOf(given, of);
        expect(made.every(({ index }) => !verdicts.has(index))).toBe(true);
        // Those with a verdict still say what is below what, and nothing else.
        const blank = given.map((item): OtlpItem => (verdicts.has(item.index) ? { ...item, attributes: [] } : item));
        expect(made.map(texts)).toEqual(decideItems(reduceItems(blank)).items.map(texts));
        expect(made.length > 0).toBe(allowed.length > 0);
      }),
    );
  });

  it('mean the same in any order', () => {
    fc.assert(
      fc.property(items, rules, (given, of) => {
        const turned = { ...of, include: of.include.toReversed(), exclude: of.exclude.toReversed() };
        expect(answersOf(given, turned)).toEqual(answersOf(given, of));
      }),
    );
  });

  it('never touch a marked item, and change nothing for another application', () => {
    fc.assert(
      fc.property(items, rules, (given, of) => {
        const marked = (all: readonly { readonly idempotencyKey: string }[]) =>
          all.map(({ idempotencyKey }) => idempotencyKey).filter((key) => key.startsWith('key-'));
        const plain = decideItems(reduceItems(given)).items;
        expect(marked(answersOf(given, of))).toEqual(marked(plain));
        expect(answersOf(given, { ...of, application_key: 'another-bot' })).toEqual(plain);
        const onlyMarked = answersOf(given, { ...of, answers: 'marked', include: [], exclude: [] });
        expect(onlyMarked.map(({ idempotencyKey }) => idempotencyKey)).toEqual(marked(plain));
      }),
    );
  });
});
