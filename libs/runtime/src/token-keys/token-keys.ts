import {
  planAgedTokenKey,
  type PlannedTokenKey,
  planTokenKey,
  type TokenKeyState,
  tokenKeyState,
  type TokenKeyTimes,
  tokenKeyVerifiesUntil,
} from '@answer-evidence/access';
import { MICROS_PER_DAY, MICROS_PER_SECOND } from '@answer-evidence/encoding';
import { createApplicationTokens, openKeyRing, type StoredKey, thumbprintOf } from '@answer-evidence/jose';
import type {
  ApplicationTokens,
  Clock,
  MasterVault,
  RandomSource,
  Ticker,
  TokenKeyStore,
} from '@answer-evidence/ports';
import type { TokenKeyRow } from '@answer-evidence/tables';

const ISSUER = 'urn:answer-evidence';
const SEED_BYTES = 32;
/** Longest time between two readings of the keys; with a short lead they are read three times within it. */
const REFRESH_MS_MAX = 60_000;

/** A key as operators see it. Times in microseconds. */
type TokenKeyView = TokenKeyTimes & {
  readonly state: TokenKeyState;
  readonly verifiesUntil: number | undefined;
};

/** The application tokens of an installation, and the keys that sign them. */
export type TokenKeys = {
  readonly tokens: ApplicationTokens;
  /** Keeps this process's knowledge of the keys fresh, and makes the next one when the newest comes of age. */
  readonly ticker: Ticker;
  /** All keys, oldest first. */
  list(): Promise<readonly TokenKeyView[]>;
  /** Makes the next key, which signs after the lead, or at once. False: one is on its way already. */
  rotate(when: 'after-lead' | 'at-once'): Promise<boolean>;
};

/** What the keys are opened with. */
export type TokenKeyOptions = {
  readonly store: TokenKeyStore;
  readonly vault: Pick<MasterVault, 'wrap' | 'unwrap'>;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly monotonicMs: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** How long a key signs, and how long it is published before it does. */
  readonly ageDays: number;
  readonly leadSeconds: number;
};

/** Opens the keys, and makes the first one where there is none. Throws `VaultError` when they do not open. */
export async function openTokenKeys(options: TokenKeyOptions): Promise<TokenKeys> {
  const { store, vault, clock, random } = options;
  const leadMicros = options.leadSeconds * MICROS_PER_SECOND;

  async function add(planned: PlannedTokenKey): Promise<boolean> {
    const seed = random.bytes(SEED_BYTES);
    const kid = await thumbprintOf(seed);
    const added = await store.add({
      kid,
      generation: planned.generation,
      wrapped_seed: vault.wrap(labelOf(kid), seed),
      created_at: clock.nowMicros(),
      signs_from: planned.signsFrom,
    });
    seed.fill(0);
    return added;
  }
  const load = async () =>
    (await store.list()).map((row): StoredKey => ({
      ...timesOf(row),
      openSeed: () => vault.unwrap(labelOf(row.kid), row.wrapped_seed),
    }));

  // Another process may be making the first one as well: one of the two is kept.
  if ((await store.list()).length === 0) await add({ generation: 1, signsFrom: clock.nowMicros() });
  const ring = await openKeyRing({ load, monotonicMs: options.monotonicMs, wait: options.wait });

  return {
    tokens: createApplicationTokens({ issuer: ISSUER, ring }),
    ticker: {
      name: 'token-keys',
      intervalMs: Math.min(REFRESH_MS_MAX, (options.leadSeconds * 1_000) / 3),
      async run() {
        await ring.reload();
        const keys = (await store.list()).map(timesOf);
        const planned = planAgedTokenKey(keys, clock.nowMicros(), options.ageDays * MICROS_PER_DAY, leadMicros);
        if (planned !== undefined && (await add(planned))) await ring.reload();
      },
    },
    async list() {
      const keys = (await store.list()).map(timesOf);
      const now = clock.nowMicros();
      return keys.map((key) => ({
        ...key,
        state: tokenKeyState(keys, key, now),
        verifiesUntil: tokenKeyVerifiesUntil(keys, key),
      }));
    },
    async rotate(when) {
      const keys = (await store.list()).map(timesOf);
      const planned = planTokenKey(keys, clock.nowMicros(), when === 'at-once' ? 0 : leadMicros);
      return planned !== undefined && (await add(planned));
    },
  };
}

/** The label under which the seed of a signing key is wrapped. */
export function labelOf(kid: string): string {
  return `token-signing-key/${kid}`;
}

function timesOf(row: TokenKeyRow): TokenKeyTimes {
  return { kid: row.kid, generation: row.generation, signsFrom: row.signs_from };
}
