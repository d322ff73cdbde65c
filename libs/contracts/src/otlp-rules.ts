import * as z from 'zod';
import { fault, type Judged } from './judged.ts';
import { coversRule, judgeRule, otlpRule, textOfRule } from './otlp-rule.ts';
import { otlpTexts, otlpTextsSent } from './otlp-texts.ts';
import { key } from './primitives.ts';

/** Most applications with rules, and most rules of one list. */
const APPLICATIONS_MAX = 50;
const RULES_MAX = 32;
/** Largest JSON of all rules, in UTF-16 code units: each version of the settings is in the ledger for ever. */
const JSON_LENGTH_MAX = 16 * 1024;

const answers = z.enum(['all', 'marked']);

/** Which items of an application may be answers. */
export const otlpApplicationRules = z.strictObject({
  application_key: key,
  /** `marked`: only items with an attribute of `service.audit`. */
  answers,
  /** If there are any, only items that match one of them become records. */
  include: z.array(otlpRule).max(RULES_MAX),
  /** Items that match one of them are no answers, and their texts are not used. */
  exclude: z.array(otlpRule).max(RULES_MAX),
  /** `remote`: a span whose parent is of another process is a root, and nothing waits for that parent. */
  root_parents: z.enum(['remote']).optional(),
  /** `last`: answers side by side below one span are steps of one, which is the last of them. */
  siblings: z.enum(['last']).optional(),
  ...otlpTexts,
});
export type OtlpApplicationRules = z.infer<typeof otlpApplicationRules>;

/** The rules of all applications that have some, as they are stored. */
export const otlpRules = z.array(otlpApplicationRules).max(APPLICATIONS_MAX);
export type OtlpRules = z.infer<typeof otlpRules>;

const rulesSent = z.array(otlpRule.check(judgeRule)).max(RULES_MAX).default([]);

/** The same as a manager sends them: without what cannot have been meant. */
export const otlpRulesRequest = z
  .array(
    z
      .strictObject({
        ...otlpApplicationRules.shape,
        answers: answers.default('all'),
        include: rulesSent,
        exclude: rulesSent,
        ...otlpTextsSent,
      })
      .check(judgeApplication),
  )
  .max(APPLICATIONS_MAX)
  .check(judgeAll);

function judgeApplication({ value: of, issues }: Judged<OtlpApplicationRules>): void {
  for (const list of ['include', 'exclude'] as const) {
    if (of.answers === 'marked' && of[list].length > 0)
      issues.push(fault([list], of[list], 'must be empty if answers is marked: only marked items are answers then'));
    const texts = of[list].map(textOfRule);
    for (const [n, one] of texts.entries()) {
      const first = texts.indexOf(one);
      if (first < n)
        issues.push(fault([list, n], one, `must differ from rule ${first + 1} of ${list}; leave one of them out`));
    }
  }
  for (const name of ['question', 'answer', 'never', 'siblings'] as const) {
    if (of.answers === 'marked' && of[name] !== undefined)
      issues.push(fault([name], of[name], 'must be left out if answers is marked: only marked items are answers then'));
  }
  for (const [n, included] of of.include.entries()) {
    const by = of.exclude.findIndex((excluded) => coversRule(excluded, included));
    if (by >= 0)
      issues.push(
        fault(['include', n], included, `must match what rule ${by + 1} of exclude does not; change one of them`),
      );
  }
}

function judgeAll({ value: all, issues }: Judged<OtlpRules>): void {
  const keys = all.map((one) => one.application_key);
  for (const [n, one] of keys.entries())
    if (keys.indexOf(one) < n)
      issues.push(fault([n, 'application_key'], one, 'must differ from those before it; merge the rules of the two'));
  if (JSON.stringify(all).length > JSON_LENGTH_MAX)
    issues.push(fault([], all, `must be at most ${JSON_LENGTH_MAX} characters of JSON`));
}
