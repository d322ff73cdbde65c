import type { CheckpointStore } from '../checkpoint-store.ts';
import { type Differences, differencesOf } from './differences.ts';
import { evidenceOf, MismatchError, type ShownPlace } from './mismatch-error.ts';

/** Throws `MismatchError` where a response differs from what was sent, once what was signed in it is kept. */
export type AssertSame = (differences: Differences, shown?: ShownPlace) => Promise<void>;

/** Keeps what is refused in the store, if there is one that can keep it. */
export function createAssertSame(store: CheckpointStore | undefined): AssertSame {
  return async (differences, shown) => {
    if (differences.length === 0) return;
    const refused = new MismatchError([...new Set(differences)], shown);
    try {
      await store?.keepMismatch?.(evidenceOf(refused));
    } catch (cause) {
      // The error has all of it; that the store is full must not hide it.
      throw new MismatchError(refused.fields, shown, { cause });
    }
    throw refused;
  };
}

/** Waits for a reply, which `assertSame` refuses where it differs from what was sent. */
export function createAgree(assertSame: AssertSame) {
  return async <T>(reply: Promise<T>, compare: (found: T) => Differences): Promise<T> => {
    const found = await reply;
    await assertSame(compare(found));
    return found;
  };
}

/** Compares the id of what was asked for. */
export function sameId(id: string): (found: { readonly id: string }) => Differences {
  return (found) => differencesOf({ '/id': [id.toLowerCase(), found.id] });
}
