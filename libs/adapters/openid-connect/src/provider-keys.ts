import * as oidc from 'openid-client';

/** What tells the keys apart that the client has read of a provider, in order; undefined before it has read any. */
export function findKeyIds(configuration: oidc.Configuration): readonly string[] | undefined {
  const keys = oidc.getJwksCache(configuration)?.jwks.keys;
  // Its id alone may stay the same when a key is replaced.
  return keys?.map(({ kid, n, x, y }) => [kid, n, x, y].join(' ')).toSorted();
}

/** Whether keys were read before, and others now. */
export function isOther(before: readonly string[] | undefined, now: readonly string[] | undefined): boolean {
  return before !== undefined && now !== undefined && before.join() !== now.join();
}
