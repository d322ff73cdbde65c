import { TOKEN_LIFE_SECONDS_MAX } from '@answer-evidence/contracts';
import { MICROS_PER_SECOND } from '@answer-evidence/encoding';

/** When a key that signs application tokens begins to. Generations count from 1; times in microseconds. */
export type TokenKeyTimes = { readonly kid: string; readonly generation: number; readonly signsFrom: number };

/** `next`: published, not signing yet. `active`: signs. `retired`: verifies what it signed. `expired`: unused. */
export type TokenKeyState = 'next' | 'active' | 'retired' | 'expired';

/** A process that was paused may sign with a retired key until it re-reads the keys; this is far longer. */
const SLACK_MICROS = 86_400 * MICROS_PER_SECOND;

/**
 * Until when a key verifies: until the longest-lived token that it can have signed has expired. Undefined while no
 * other key has replaced it.
 */
export function tokenKeyVerifiesUntil(keys: readonly TokenKeyTimes[], key: TokenKeyTimes): number | undefined {
  const successor = keys
    .filter(({ generation }) => generation > key.generation)
    .reduce<TokenKeyTimes | undefined>((a, b) => (a === undefined || b.generation < a.generation ? b : a), undefined);
  return successor === undefined
    ? undefined
    : successor.signsFrom + TOKEN_LIFE_SECONDS_MAX * MICROS_PER_SECOND + SLACK_MICROS;
}

/**
 * The key that signs: the newest whose time has come, or the oldest where a clock is behind all of them. Why keys
 * change by time: decision 0018.
 */
export function findSigningKey<Key extends TokenKeyTimes>(keys: readonly Key[], nowMicros: number): Key | undefined {
  const sorted = keys.toSorted((a, b) => a.generation - b.generation);
  return sorted.findLast(({ signsFrom }) => signsFrom <= nowMicros) ?? sorted[0];
}

/** The state of a key in the ring. It follows from times alone, so every process agrees without being told. */
export function tokenKeyState(keys: readonly TokenKeyTimes[], key: TokenKeyTimes, nowMicros: number): TokenKeyState {
  const signing = findSigningKey(keys, nowMicros);
  if (signing === undefined || key.generation > signing.generation) return 'next';
  if (key.generation === signing.generation) return 'active';
  return nowMicros < (tokenKeyVerifiesUntil(keys, key) ?? Infinity) ? 'retired' : 'expired';
}

/** The place of a key that is to be made. */
export type PlannedTokenKey = { readonly generation: number; readonly signsFrom: number };

/** The next key, to sign after `leadMicros`, or undefined when one is on its way already. */
export function planTokenKey(
  keys: readonly TokenKeyTimes[],
  nowMicros: number,
  leadMicros: number,
): PlannedTokenKey | undefined {
  const newest = newestOf(keys);
  if (newest !== undefined && newest.signsFrom > nowMicros) return undefined;
  return { generation: (newest?.generation ?? 0) + 1, signsFrom: nowMicros + leadMicros };
}

/** The next key, due once the newest comes of age within `leadMicros`. It signs after being published that long. */
export function planAgedTokenKey(
  keys: readonly TokenKeyTimes[],
  nowMicros: number,
  ageMicros: number,
  leadMicros: number,
): PlannedTokenKey | undefined {
  const newest = newestOf(keys);
  if (newest === undefined || nowMicros < newest.signsFrom + ageMicros - leadMicros) return undefined;
  const planned = planTokenKey(keys, nowMicros, leadMicros);
  return planned && { ...planned, signsFrom: Math.max(planned.signsFrom, newest.signsFrom + ageMicros) };
}

function newestOf(keys: readonly TokenKeyTimes[]): TokenKeyTimes | undefined {
  return keys.reduce<TokenKeyTimes | undefined>(
    (a, b) => (a === undefined || b.generation > a.generation ? b : a),
    undefined,
  );
}
