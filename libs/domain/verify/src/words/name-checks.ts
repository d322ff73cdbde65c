import { type CheckName, CHECKS } from '@answer-evidence/contracts';
import type { Words } from './words-of.ts';

type Texts = Readonly<Record<CheckName, string>>;

/** Each check with its name for people and what it does not prove. */
export function nameChecks(names: Texts, limits: Texts): Words['checks'] {
  const of = CHECKS.map((check) => [check, { name: names[check], not_proved: limits[check] }] as const);
  return Object.fromEntries(of) as Words['checks'];
}
