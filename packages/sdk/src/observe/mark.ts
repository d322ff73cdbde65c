import type { AnswerEvidence } from '../answer-evidence.ts';

/** Who records what a watched function returns. */
export type Mark = { evidence: AnswerEvidence };

/** Also that of another copy of this package. */
const MARK = Symbol.for('answer-evidence.watched');

/** The function, marked as watched. */
export function withMark<T extends object>(watched: T, mark: Mark): T {
  return Object.defineProperty(watched, MARK, { value: mark });
}

/** Has a watched function recorded by this evidence from now on. False for one that is not watched. */
export function moveMark(original: object, evidence: AnswerEvidence): boolean {
  const mark = Reflect.get(original, MARK) as Mark | undefined;
  if (mark !== undefined) mark.evidence = evidence;
  return mark !== undefined;
}
