/** What a platform gives a process in place of a secret of its own, for a time. */
export type PlatformKeys = {
  readonly accessKey: string;
  readonly secretKey: string;
  /** Undefined for keys that do not end. */
  readonly sessionToken: string | undefined;
  readonly expiresAtMs: number | undefined;
  /** Who gave them, in words such as `the role of the ECS task`. */
  readonly source: string;
};

/** A token that speaks for the account of a process until it ends. */
export type PlatformToken = {
  readonly token: string;
  readonly expiresAtMs: number;
  /** Who gave it, in words. */
  readonly source: string;
};

/** A platform gives nothing: what to do, in words without a secret. */
export class PlatformCredentialsError extends Error {
  override readonly name = 'PlatformCredentialsError';
}
