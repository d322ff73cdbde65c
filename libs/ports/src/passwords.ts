/**
 * Who goes first where passwords are verified: who has signed in there before, then who has hardly been wrong there,
 * then all others.
 */
export type LoginRank = 'known' | 'first' | 'other';

/** Hashes passwords slowly and with much memory. Few run at once; with too many waiting it throws `overloaded`. */
export interface PasswordHasher {
  /** A hash with its salt and parameters, as text. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password matches the hash. Without a hash the same work is done and the result is false, so that the
   * time does not reveal whether there is one. Of the waiting calls, the one with the best rank goes first, and the one
   * with the worst is refused. Throws `overloaded`.
   */
  verify(hash: string | undefined, password: string, rank: LoginRank): Promise<boolean>;
}

/** One try to sign in, counted as wrong until it is said to be something else. */
export type LoginAttempt = {
  readonly rank: LoginRank;
  succeed(): Promise<void>;
  /** The password was not verified, so the try has told nobody anything: it does not count. */
  withdraw(): Promise<void>;
};

/** Holds back anyone who tries passwords of one account, without locking out whom the account belongs to. */
export interface LoginThrottle {
  /** Counts a try at an account from a client address. Throws `rate_limited`, with the time to wait, when over. */
  begin(account: string, clientKey: string): Promise<LoginAttempt>;
}

/** How many tries there are at once, and after how many microseconds there is one more. */
export type TryLimit = { readonly count: number; readonly everyMicros: number };

/**
 * Counts of tries by key, and places by key, of all processes of the installation together. They survive restarts. A
 * time that lies ahead of what a limit can reach, after a clock was wrong, is read as the farthest that it can.
 */
export interface LoginTryStore {
  /** Takes one try, atomically; returns 0, or after how many microseconds there is one, when none was left. */
  take(key: Uint8Array, limit: TryLimit, nowMicros: number): Promise<number>;
  /** Puts a try back. */
  giveBack(key: Uint8Array, limit: TryLimit): Promise<void>;
  isKnown(place: Uint8Array): Promise<boolean>;
  remember(place: Uint8Array, nowMicros: number): Promise<void>;
  /** Forgets keys whose tries are all there again, and places that were not remembered since. */
  forget(triesBefore: number, placesBefore: number): Promise<void>;
}
