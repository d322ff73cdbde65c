import * as z from 'zod';
import { fault, type Judged } from './judged.ts';
import { findNameFault, judgeRule, otlpRule, ruleText, textOfRule } from './otlp-rule.ts';

/** Most places of a question or an answer, and most steps of a path. */
const PLACES_MAX = 8;
const STEPS_MAX = 16;
const NEVER_MAX = 32;

/** Where a text stands: an attribute, and a place within its JSON. */
export const otlpPlace = z.strictObject({
  attribute: ruleText,
  /** The event that has the attribute; left out for those of the span or log record itself. */
  event: ruleText.optional(),
  /** A JSON Pointer into the value, in which `-` is the last item of a list; left out for the whole value. */
  path: ruleText.regex(/^(?:\/(?:[^~/]|~[01])*)+$/, 'must be a JSON Pointer such as /reply/text').optional(),
  /** What an item must be to be read here; left out for every item that has the attribute. */
  when: otlpRule.optional(),
});
export type OtlpPlace = z.infer<typeof otlpPlace>;

/** What is never an answer: an item of which all that is named holds. */
export const otlpNever = z
  .strictObject({
    /** How the instructions of the model begin. */
    instructions_begin: ruleText.optional(),
    question_begins: ruleText.optional(),
    answer_begins: ruleText.optional(),
  })
  .meta({ minProperties: 1 });
export type OtlpNever = z.infer<typeof otlpNever>;

/** Where the texts of an application stand, and what of it is never an answer, as they are stored. */
export const otlpTexts = {
  /** Tried in their order. Of an item that has one of the attributes, no other question is read. */
  question: z.array(otlpPlace).min(1).max(PLACES_MAX).optional(),
  answer: z.array(otlpPlace).min(1).max(PLACES_MAX).optional(),
  never: z.array(otlpNever).min(1).max(NEVER_MAX).optional(),
};
export type OtlpTexts = { [Name in keyof typeof otlpTexts]: z.infer<(typeof otlpTexts)[Name]> };

const placeSent = z.strictObject({ ...otlpPlace.shape, when: otlpRule.check(judgeRule).optional() }).check(judgePlace);
const places = z.array(placeSent).min(1).max(PLACES_MAX).check(judgePlaces).optional();

/** The same as a manager sends them. */
export const otlpTextsSent = {
  question: places,
  answer: places,
  never: z.array(otlpNever.check(judgeNever)).min(1).max(NEVER_MAX).check(judgeNevers).optional(),
};

function judgePlace({ value: { attribute, path = '' }, issues }: Judged<OtlpPlace>): void {
  const wrong = findNameFault(attribute);
  if (wrong !== undefined) issues.push(fault(['attribute'], attribute, wrong));
  if (path.split('/').length - 1 > STEPS_MAX)
    issues.push(fault(['path'], path, `must have at most ${STEPS_MAX} steps`));
}

function judgePlaces({ value, issues }: Judged<readonly OtlpPlace[]>): void {
  const texts = value.map(({ attribute, event, path, when }) =>
    JSON.stringify([attribute, event, path, when === undefined ? '' : textOfRule(when)]),
  );
  for (const [n, one] of texts.entries()) {
    const first = texts.indexOf(one);
    if (first < n) issues.push(fault([n], value[n], `must differ from place ${first + 1}; leave one of them out`));
  }
}

function judgeNever({ value, issues }: Judged<OtlpNever>): void {
  if (issues.length === 0 && Object.keys(value).length === 0)
    issues.push(
      fault([], value, 'must name at least one text, such as {"instructions_begin": "You are a title generator"}'),
    );
}

function judgeNevers({ value, issues }: Judged<readonly OtlpNever[]>): void {
  const texts = value.map((one) => JSON.stringify([one.instructions_begin, one.question_begins, one.answer_begins]));
  for (const [n, one] of texts.entries()) {
    const first = texts.indexOf(one);
    if (first < n) issues.push(fault([n], value[n], `must differ from item ${first + 1}; leave one of them out`));
  }
}

/** The steps of a path, from the whole value. */
export function stepsOf(path: string | undefined): readonly string[] {
  if (path === undefined) return [];
  return path
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The path of some steps; undefined of none, which is the whole value. */
export function formatSteps(steps: readonly string[]): string | undefined {
  if (steps.length === 0) return undefined;
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
