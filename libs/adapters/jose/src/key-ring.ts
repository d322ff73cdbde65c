import { findSigningKey, tokenKeyState, type TokenKeyTimes } from '@answer-evidence/access';
import { type ImportedKey, importSeed } from './signing-key.ts';

/** A stored key; its seed is opened only when the key is not known yet. */
export type StoredKey = TokenKeyTimes & { openSeed(): Uint8Array };

/** A key of the ring, made ready. */
export type RingKey = TokenKeyTimes & ImportedKey;

/** The keys that sign application tokens, as far as this process knows them. */
export interface KeyRing {
  /** The key that signs at this time. */
  signing(nowMicros: number): RingKey;
  /**
   * The key of that id, if it may still verify. An unknown one is first looked up in the store, because another process
   * may have created it. Rejects if the store is unavailable.
   */
  find(kid: string, nowMicros: number): Promise<RingKey | undefined>;
  /** All keys that verify or are about to sign, newest first. */
  published(nowMicros: number): readonly RingKey[];
  /** Reads the store again. What it does not answer is left as it was. */
  reload(): Promise<void>;
}

/** What a ring is made of. */
export type KeyRingOptions = {
  readonly load: () => Promise<readonly StoredKey[]>;
  readonly monotonicMs: () => number;
  readonly wait: (ms: number) => Promise<void>;
};

/** Shortest time between two readings of the store for ids that are not known. */
const RELOAD_PAUSE_MS = 1_000;
/** The form of an id: an RFC 7638 thumbprint. Nothing else can be in the store. */
const KID = /^[A-Za-z0-9_-]{43}$/;

/** Opens a ring over a store that has a key. Throws when it has none, or a seed is not of 32 bytes. */
export async function openKeyRing({ load, monotonicMs, wait }: KeyRingOptions): Promise<KeyRing> {
  let keys: ReadonlyMap<string, RingKey> = new Map();
  let lastMs = -Infinity;
  let upcoming: Promise<void> | undefined;

  async function reload(): Promise<void> {
    lastMs = monotonicMs();
    const stored = await load();
    const opened = await Promise.all(
      stored.map(async (key): Promise<RingKey> => {
        const { kid, generation, signsFrom } = key;
        const known = keys.get(kid) ?? (await importSeed(key.openSeed()));
        return { ...known, kid, generation, signsFrom };
      }),
    );
    if (opened.length === 0) throw new Error('application tokens need a signing key');
    keys = new Map(opened.map((key) => [key.kid, key]));
    if (keys.size !== opened.length) throw new Error('two token signing keys have one id');
  }

  /**
   * Reads the keys again, at most once per second, in a read that begins after this call. Callers wait for it, so a
   * valid token of a new key is never mistaken for a forged one.
   */
  function reloadOnce(): Promise<void> {
    upcoming ??= (async () => {
      await wait(Math.max(0, lastMs + RELOAD_PAUSE_MS - monotonicMs()));
      // Who asks from here on may ask for a key that this reading does not see.
      upcoming = undefined;
      await reload();
    })();
    return upcoming;
  }

  await reload();
  const all = (): readonly RingKey[] => [...keys.values()];
  return {
    signing(nowMicros) {
      const key = findSigningKey(all(), nowMicros);
      if (key === undefined) throw new Error('a ring has at least one key');
      return key;
    },
    async find(kid, nowMicros) {
      if (!keys.has(kid)) {
        if (!KID.test(kid)) return undefined;
        await reloadOnce();
      }
      const key = keys.get(kid);
      return key === undefined || tokenKeyState(all(), key, nowMicros) === 'expired' ? undefined : key;
    },
    published: (nowMicros) =>
      all()
        .filter((key) => tokenKeyState(all(), key, nowMicros) !== 'expired')
        .toSorted((a, b) => b.generation - a.generation),
    reload,
  };
}
