import { ServiceError } from '@answer-evidence/contracts';

/**
 * How the wall clock of this process stands to all that is known of the time. `behind`: a time has passed that it has
 * still before it. `ahead`: it stepped forward, and nothing bears it out yet. Off by minutes counts as plausible.
 */
export type ClockJudgement =
  | { readonly state: 'plausible' }
  | { readonly state: 'behind' | 'ahead'; readonly byMicros: number };
export type ClockState = ClockJudgement['state'];

/** Judges the wall clock of this process. Why within these bounds: decision 0078. */
export interface ClockGuard {
  /** As of now. Anything that erases by time asks this after it has read the time, so that no step comes in between. */
  judge(): ClockJudgement;
  /** As of at most 100 ms ago, for the path of every create. */
  recent(): ClockJudgement;
}

/** What processes have left of the time for each other, and for anyone who starts next. Times in microseconds. */
export type ClockMark = {
  /** A time that has passed. */
  readonly passedAt: number;
  /** How often an operator has confirmed a time; then `passedAt` may have gone back. */
  readonly confirmations: number;
};

/** The mark of the installation. Throws `ledger_unavailable`. */
export interface ClockMarkStore {
  find(): Promise<ClockMark | undefined>;
  /** Says that a time has passed; never moves the mark back. */
  advance(passedAt: number): Promise<void>;
  /** An operator's word that this is the time. */
  confirm(passedAt: number): Promise<void>;
  /** The time of the newest entry of all logs. */
  lastEntryAt(): Promise<number | undefined>;
  /**
   * The newest time that both a witness or a time-stamping authority and this installation's own clock of that moment
   * have told. A tenant chooses its witnesses, so theirs alone counts for nothing.
   */
  lastAttestedAt(workspaceId: string): Promise<number | undefined>;
}

const RETRY_AFTER_SECONDS = 60;

/** Why nothing new may be recorded now: its time would be wrong. A replay comes before it. */
export function refusalOfClock(guard: ClockGuard): ServiceError | undefined {
  const judgement = guard.recent();
  if (judgement.state !== 'behind') return undefined;
  const minutes = Math.ceil(judgement.byMicros / 60_000_000);
  const detail = `the clock of the server is ${minutes} minutes behind; retry the same request when it is right again`;
  return new ServiceError('clock_behind', detail, { remedy: 'retry', retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Whether something may be erased because its time has come. */
export function mayEraseByTime(guard: ClockGuard): boolean {
  return guard.judge().state === 'plausible';
}
