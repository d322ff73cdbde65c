import type { ContentRule } from '../dialects/content-rule.ts';
import { CONTENT_RULES } from '../dialects/tables.ts';
import { createRuleIndex, type RulesThere } from './rule-index.ts';

/** The rules that find what they read at one of the places, in the order of the table. */
export const rulesThere: RulesThere<ContentRule> = createRuleIndex(CONTENT_RULES, ({ event, key, indexed }) =>
  indexed === undefined ? { event, key } : { event, prefix: indexed.prefix },
);
