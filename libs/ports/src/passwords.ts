/** Hashes passwords slowly and with much memory. Few run at once; with too many waiting it throws `overloaded`. */
export interface PasswordHasher {
  /** A hash with its salt and parameters, as text. */
  hash(password: string): Promise<string>;
  /** Whether a password is the hashed one; undefined stands for no one's: same work, false. Throws `overloaded`. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
}

/** One try to sign in, counted as wrong until it is said to be something else. */
type LoginAttempt = {
  succeed(): void;
  /** The password was not verified, so the try has told nobody anything: it does not count. */
  withdraw(): void;
};

/** Holds back anyone who tries passwords of one account, without locking out whom the account belongs to. */
export interface LoginThrottle {
  /** Counts a try at an account from a client address. Throws `rate_limited`, with the time to wait, when over. */
  begin(account: string, clientKey: string): LoginAttempt;
}
