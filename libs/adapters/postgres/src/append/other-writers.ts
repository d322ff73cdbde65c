/** So many turns in which nobody else wrote, and this process counts as alone again. */
const QUIET_TURNS = 4;

/**
 * Whether other processes write the same log, judged by the heads that this one meets. A process that is alone bets on
 * its memory. One that is not would lose most bets, and each costs a plan and a round trip: it takes turns instead.
 */
export class OtherWriters {
  #quietTurns = QUIET_TURNS;

  get areSeen(): boolean {
    return this.#quietTurns < QUIET_TURNS;
  }

  /** Notes a head whose lock was given: whether it is the one that this process remembers. */
  note(isAsRemembered: boolean): void {
    this.#quietTurns = isAsRemembered ? this.#quietTurns + 1 : 0;
  }
}
