import { ServiceError } from '@answer-evidence/contracts';
import { MICROS_PER_DAY, MICROS_PER_SECOND } from '@answer-evidence/encoding';
import type { Clock, LoginAttempt, LoginRank, LoginThrottle, LoginTryStore, TryLimit } from '@answer-evidence/ports';

/** Wrong tries at one account from one address. */
const FROM_ONE_PLACE: TryLimit = { count: 10, everyMicros: 10 * MICROS_PER_SECOND };
/** Of these, as many as each place has for itself where nobody has signed in to the account yet. */
const FIRST: TryLimit = { count: 3, everyMicros: MICROS_PER_DAY / 3 };
/** Wrong tries at one account beyond those, from all such places together. */
const FROM_STRANGERS: TryLimit = { count: 30, everyMicros: 10 * MICROS_PER_SECOND };
/** A place is known for as long after the last time that somebody signed in there. */
const KNOWN_MICROS = 180 * MICROS_PER_DAY;
/** How many tries pass until what is over is forgotten. */
const TRIES_PER_CLEANING = 256;

type ThrottleDeps = {
  readonly tries: LoginTryStore;
  readonly clock: Clock;
  /** A key that neither the account nor the address can be read from, or found in by trying. */
  readonly keyOf: (kind: string, ...parts: readonly string[]) => Uint8Array;
};

/**
 * Three limits, of all processes together. A place may be wrong about an account ten times, and then once in ten
 * seconds. Where the account is known, that is all. A place that is new to the account has three tries a day of its
 * own, so that no flood from elsewhere keeps the right person out; further ones share thirty with all new places, and
 * then one in ten seconds. A right password gives back what its try took, and so does a try that was not verified. Why
 * neither address nor account alone is counted: decision 0091.
 */
export function createLoginThrottle({ tries, clock, keyOf }: ThrottleDeps): LoginThrottle {
  let sinceCleaning = 0;

  async function clean(nowMicros: number): Promise<void> {
    sinceCleaning += 1;
    if (sinceCleaning < TRIES_PER_CLEANING) return;
    sinceCleaning = 0;
    await tries.forget(nowMicros, nowMicros - KNOWN_MICROS);
  }

  return {
    async begin(account, clientKey) {
      const now = clock.nowMicros();
      await clean(now);
      const place = keyOf('place', account, clientKey);
      const taken: (readonly [Uint8Array, TryLimit])[] = [];
      async function take(key: Uint8Array, limit: TryLimit): Promise<number> {
        const waitMicros = await tries.take(key, limit, now);
        if (waitMicros === 0) taken.push([key, limit]);
        return waitMicros;
      }
      async function mustTake(key: Uint8Array, limit: TryLimit): Promise<void> {
        const waitMicros = await take(key, limit);
        if (waitMicros > 0) throw tooMany(waitMicros);
      }
      async function rankOf(): Promise<LoginRank> {
        if (await tries.isKnown(place)) return 'known';
        if ((await take(keyOf('first', account, clientKey), FIRST)) === 0) return 'first';
        // What was taken of the place stays taken when this throws: it is about the same account.
        await mustTake(keyOf('strangers', account), FROM_STRANGERS);
        return 'other';
      }
      async function withdraw(): Promise<void> {
        for (const [key, limit] of taken) await tries.giveBack(key, limit);
      }
      await mustTake(place, FROM_ONE_PLACE);
      const attempt: LoginAttempt = {
        rank: await rankOf(),
        withdraw,
        async succeed() {
          await withdraw();
          await tries.remember(place, now);
        },
      };
      return attempt;
    },
  };
}

function tooMany(waitMicros: number): ServiceError {
  const retryAfterSeconds = Math.ceil(waitMicros / MICROS_PER_SECOND);
  return new ServiceError('rate_limited', `too many failed logins; retry after ${retryAfterSeconds} s`, {
    remedy: 'retry',
    retryAfterSeconds,
  });
}
