import { PEM } from './kinds/pem.ts';
import { RULE_1 } from './kinds/rule-1.ts';
import { RULE_2 } from './kinds/rule-2.ts';
import { RULE_3 } from './kinds/rule-3.ts';
import { RULE_4 } from './kinds/rule-4.ts';
import { RULE_5 } from './kinds/rule-5.ts';
import { RULE_6 } from './kinds/rule-6.ts';
import { RULE_7 } from './kinds/rule-7.ts';
import type { Craft } from './tokens.ts';

/** A kind of time-stamp, the rule of the formats that it is about, and whether a verifier believes it. */
type StampKind = {
  readonly rule: number | 'PEM';
  readonly name: string;
  readonly isBelieved: boolean;
  readonly craft: Craft;
};

const RULES = { 1: RULE_1, 2: RULE_2, 3: RULE_3, 4: RULE_4, 5: RULE_5, 6: RULE_6, 7: RULE_7, PEM } as const;

/** Every kind, in the order of the rules. */
export const STAMP_KINDS: readonly StampKind[] = Object.entries(RULES).flatMap(([rule, [believed, refused]]) =>
  [believed, refused].flatMap((rows, n) =>
    rows.map(([name, craft]): StampKind => ({
      rule: rule === 'PEM' ? rule : Number(rule),
      name,
      isBelieved: n === 0,
      craft,
    })),
  ),
);
