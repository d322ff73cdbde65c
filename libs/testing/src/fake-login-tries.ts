import { formatHex } from '@answer-evidence/encoding';
import type { LoginTryStore } from '@answer-evidence/ports';

/** Makes a store of tries and places in memory. */
export function createFakeLoginTries(): LoginTryStore {
  const freeAt = new Map<string, number>();
  const places = new Map<string, number>();
  return {
    take(key, { count, everyMicros }, now) {
      const name = formatHex(key);
      const all = count * everyMicros;
      const next = Math.max(Math.min(freeAt.get(name) ?? 0, now + all), now) + everyMicros;
      if (next > now + all) return Promise.resolve(next - now - all);
      freeAt.set(name, next);
      return Promise.resolve(0);
    },
    giveBack(key, { everyMicros }) {
      const name = formatHex(key);
      freeAt.set(name, (freeAt.get(name) ?? 0) - everyMicros);
      return Promise.resolve();
    },
    isKnown: (place) => Promise.resolve(places.has(formatHex(place))),
    remember: (place, now) => Promise.resolve(void places.set(formatHex(place), now)),
    forget(triesBefore, placesBefore) {
      for (const [name, at] of freeAt) if (at < triesBefore) freeAt.delete(name);
      for (const [name, at] of places) if (at < placesBefore) places.delete(name);
      return Promise.resolve();
    },
  };
}
