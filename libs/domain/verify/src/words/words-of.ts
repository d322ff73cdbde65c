import type { CheckName, Outcome } from '@answer-evidence/contracts';
import type { TextMark } from './mark-texts.ts';
import type { GroupState, Level, LevelState, WordGroup } from './word-groups.ts';

/** The verifier's words in one language. A level has what may be said, and what it does not prove. */
export type Words = {
  readonly outcomes: Readonly<Record<Outcome, string>>;
  readonly groups: Readonly<Record<WordGroup, { readonly name: string } & Readonly<Record<GroupState, string>>>>;
  readonly states: Readonly<Record<GroupState, string>>;
  readonly levels: Readonly<
    Record<Level, { readonly name: string; readonly said: string; readonly not_proved: string }>
  >;
  readonly level_states: Readonly<Record<LevelState, string>>;
  readonly marks: Readonly<Record<TextMark, string>>;
  readonly checks: Readonly<Record<CheckName, { readonly name: string; readonly not_proved: string }>>;
  /** What no check of any record shows. */
  readonly never: string;
  readonly no_verdict: string;
  readonly may_be_said: string;
};
