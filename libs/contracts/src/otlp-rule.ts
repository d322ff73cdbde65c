import * as z from 'zod';
import { fault, type Judged } from './judged.ts';
import { CONTROL_RANGES } from './primitives.ts';
import { atMost } from './text-length.ts';

/** Most attributes of a rule, and the longest of its parts. */
const ATTRIBUTES_MAX = 8;
const TEXT_LENGTH_MAX = 200;

/** Operations of the conventions for generative AI that can be answers; others never are. */
const OPERATIONS = ['chat', 'generate_content', 'text_completion', 'invoke_agent', 'invoke_workflow'] as const;
/** Kinds of spans, at the position of their number in OTLP. */
export const SPAN_KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

/**
 * What identifies people and sessions, by how its name ends in whatever convention: rules are in the ledger, and may
 * not name it. The `thread.id` of the conventions is one of the operating system.
 */
const PERSONAL: readonly RegExp[] = [
  /(?:^|\.)(?:(?:end)?user|session|conversation|chat)(?:[._]|\.pseudo\.|\.previous_)?id$/i,
  /(?:^|\.)thread(?:_id|Id)$/,
  /(?:^|\.)user\.(?:name|full_name|email|hash)$/,
];
const MARK_PREFIX = 'service.audit.';

/** A name, a value or the beginning of a text in rules. */
export const ruleText = z
  .string()
  .min(1)
  .check(atMost(TEXT_LENGTH_MAX))
  .regex(new RegExp(`^[^${CONTROL_RANGES}]*$`), 'must not contain control characters');

/** An attribute that an item, or else its resource, has with exactly this value. */
const otlpRuleAttribute = z.strictObject({
  name: ruleText,
  value: z.union([ruleText, z.boolean(), z.int()], {
    error: 'must be a string of 1 to 200 characters, an integer, true or false',
  }),
});

const criteria = {
  /** The instrumentation scope; with `*` at its end, what the name begins with. */
  scope_name: ruleText.optional(),
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

/** Refuses what a rule cannot mean. */
export function judgeRule({ value: rule, issues }: Judged<OtlpRule>): void {
  if (issues.length === 0 && Object.keys(rule).length === 0)
    issues.push(fault([], rule, 'must name at least one property of an item, such as {"is_root": true}'));
  if (rule.scope_name?.slice(0, -1).includes('*') === true)
    issues.push(fault(['scope_name'], rule.scope_name, 'must have * at its end only; write a rule for each name'));
  const names = (rule.attributes ?? []).map(({ name }) => name);
  for (const [n, name] of names.entries()) {
    const wrong = names.indexOf(name) < n ? 'must differ from the names before it' : findNameFault(name);
    if (wrong !== undefined) issues.push(fault(['attributes', n, 'name'], name, wrong));
  }
}

/** What forbids the name of an attribute in rules. */
export function findNameFault(name: string): string | undefined {
  if (PERSONAL.some((pattern) => pattern.test(name)))
    return 'must not identify a person or a session: rules stay in the ledger';
  return name.startsWith(MARK_PREFIX) ? `must not begin with ${MARK_PREFIX}: no rule is about marked items` : undefined;
}

/** A rule as text, in which the order of members and attributes means nothing. */
export function textOfRule({ attributes, ...rule }: OtlpRule): string {
  const parts = Object.entries(rule).map((member) => JSON.stringify(member));
  return [...parts, ...(attributes ?? []).map(({ name, value }) => JSON.stringify(['attributes', name, value]))]
    .sort()
    .join('\n');
}

/** Whether every item that matches `narrow` matches `wide`. */
export function coversRule(wide: OtlpRule, narrow: OtlpRule): boolean {
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
