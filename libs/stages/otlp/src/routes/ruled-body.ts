import { type OtlpRules, ServiceError } from '@answer-evidence/contracts';
import { type TextRules, textRulesOf } from '@answer-evidence/otlp-mapping';
import type { OtlpDeps } from '../deps.ts';

/** What was read of a body by rules that say where texts stand. */
type RuledBody<T> = {
  readonly read: T;
  /** These rules, as JSON. */
  readonly by: string;
  /** Reads it by others; missing where the bytes are gone, as of a large body that was read in another thread. */
  readonly again?: (rules: readonly TextRules[]) => T;
};

const NO_RULES: readonly TextRules[] = [];

/** Reads a body by the rules that its digest is given; without any it is read by none, and may be read again. */
export function readRuled<T>(make: (rules: readonly TextRules[]) => T, given: unknown): RuledBody<T> {
  // What `giveTextRules` gave, in this thread or another.
  const rules = (given ?? NO_RULES) as readonly TextRules[];
  const read = { read: make(rules), by: JSON.stringify(rules) };
  return given === undefined ? { ...read, again: make } : read;
}

/** What is read by the rules in force. Throws what is to be retried if a large body was read by others. */
export function readBy<T>({ read, by, again }: RuledBody<T>, rules: OtlpRules): T {
  const texts = textRulesOf(rules);
  if (JSON.stringify(texts) === by) return read;
  if (again !== undefined) return again(texts);
  throw new ServiceError(
    'ledger_unavailable',
    'the rules of the workspace changed while the request was read; retry the same request',
    { remedy: 'retry' },
  );
}

/** Gives a digest the rules of a workspace that say where texts stand. */
export function giveTextRules(deps: Pick<OtlpDeps, 'readFreshSettings'>): (workspaceId: string) => Promise<unknown> {
  return async (workspaceId) => {
    const { values } = await deps.readFreshSettings(workspaceId);
    return textRulesOf(values.answer_audit_otlp_rules);
  };
}
