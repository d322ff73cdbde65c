import * as z from 'zod';
import { CONTROL_RANGES, key } from './primitives.ts';
import { atMost } from './text-length.ts';

/** Most applications with rules, most rules of one list, most attributes of a rule, and the longest of their parts. */
const APPLICATIONS_MAX = 50;
const RULES_MAX = 32;
const ATTRIBUTES_MAX = 8;
const TEXT_LENGTH_MAX = 200;
/** Largest JSON of all rules, in UTF-16 code units: each version of the settings is in the ledger for ever. */
const JSON_LENGTH_MAX = 16 * 1024;

/** Operations of the conventions for generative AI that can be answers; others never are. */
const OPERATIONS = ['chat', 'generate_content', 'text_completion', 'invoke_agent', 'invoke_workflow'] as const;
/** Kinds of spans, at the position of their number in OTLP. */
export const SPAN_KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

/** What identifies people and sessions: rules are in the ledger, and may not name them. */
const PERSONAL: readonly string[] = [
  ...['enduser.id', 'enduser.pseudo.id', 'user.id', 'user.name', 'user.full_name', 'user.email', 'user.hash'],
  ...['session.id', 'session.previous_id', 'gen_ai.conversation.id', 'langfuse.user.id', 'langfuse.session.id'],
  ...['user_id', 'session_id', 'chat_id'].map((name) => `traceloop.association.properties.${name}`),
];
const MARK_PREFIX = 'service.audit.';

const text = z
  .string()
  .min(1)
  .check(atMost(TEXT_LENGTH_MAX))
  .regex(new RegExp(`^[^${CONTROL_RANGES}]*$`), 'must not contain control characters');

/** An attribute that an item, or else its resource, has with exactly this value. */
const otlpRuleAttribute = z.strictObject({
  name: text,
  value: z.union([text, z.boolean(), z.int()], {
    error: 'must be a string of 1 to 200 characters, an integer, true or false',
  }),
});

const criteria = {
  /** The instrumentation scope; with `*` at its end, what the name begins with. */
  scope_name: text.optional(),
  /** `gen_ai.operation.name`. */
  operation_name: z.enum(OPERATIONS).optional(),
  /** Of spans; a log record has none, and never matches. */
  span_kind: z.enum(SPAN_KINDS).optional(),
  /** Whether the span has no parent in its process; a log record never matches. */
  is_root: z.boolean().optional(),
  attributes: z.array(otlpRuleAttribute).min(1).max(ATTRIBUTES_MAX).optional(),
};

/** What an item must be to match: all of what is named. */
export const otlpRule = z.strictObject(criteria).meta({ minProperties: 1 });
export type OtlpRule = z.infer<typeof otlpRule>;

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
      })
      .check(judgeApplication),
  )
  .max(APPLICATIONS_MAX)
  .check(judgeAll);

type Judged<T> = z.core.ParsePayload<T>;

function judgeRule({ value: rule, issues }: Judged<OtlpRule>): void {
  if (issues.length === 0 && Object.keys(rule).length === 0)
    issues.push(fault([], rule, 'must name at least one property of an item, such as {"is_root": true}'));
  if (rule.scope_name?.slice(0, -1).includes('*') === true)
    issues.push(fault(['scope_name'], rule.scope_name, 'must have * at its end only; write a rule for each name'));
  const names = (rule.attributes ?? []).map(({ name }) => name);
  for (const [n, name] of names.entries()) {
    const fail = (rule: string) => issues.push(fault(['attributes', n, 'name'], name, rule));
    if (names.indexOf(name) < n) fail('must differ from the names before it');
    if (PERSONAL.includes(name)) fail('must not identify a person or a session: rules stay in the ledger');
    if (name.startsWith(MARK_PREFIX)) fail(`must not begin with ${MARK_PREFIX}: no rule is about marked items`);
  }
}

function judgeApplication({ value: of, issues }: Judged<OtlpApplicationRules>): void {
  for (const list of ['include', 'exclude'] as const) {
    if (of.answers === 'marked' && of[list].length > 0)
      issues.push(fault([list], of[list], 'must be empty if answers is marked: only marked items are answers then'));
    const texts = of[list].map(textOf);
    for (const [n, one] of texts.entries()) {
      const first = texts.indexOf(one);
      if (first < n)
        issues.push(fault([list, n], one, `must differ from rule ${first + 1} of ${list}; leave one of them out`));
    }
  }
  for (const [n, included] of of.include.entries()) {
    const by = of.exclude.findIndex((excluded) => covers(excluded, included));
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

function fault(path: (string | number)[], input: unknown, message: string) {
  return { code: 'custom' as const, path, input, message };
}

/** As text, in which the order of members and attributes means nothing. */
function textOf({ attributes, ...rule }: OtlpRule): string {
  const parts = Object.entries(rule).map((member) => JSON.stringify(member));
  return [...parts, ...(attributes ?? []).map(({ name, value }) => JSON.stringify(['attributes', name, value]))]
    .sort()
    .join('\n');
}

/** Whether every item that matches `narrow` matches `wide`. */
function covers(wide: OtlpRule, narrow: OtlpRule): boolean {
  const { scope_name: scope, attributes, ...rest } = wide;
  const known = narrow.attributes ?? [];
  return (
    (scope === undefined || (narrow.scope_name !== undefined && isScope(scope, narrow.scope_name))) &&
    Object.entries(rest).every(([name, value]) => Reflect.get(narrow, name) === value) &&
    (attributes ?? []).every(({ name, value }) => known.some((one) => one.name === name && one.value === value))
  );
}

/** Whether a scope has the name that a rule names. */
export function isScope(wanted: string, name: string): boolean {
  return wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted;
}
