import { Rejection } from './rejection.ts';

/** Why something cannot be taken over. */
export type Refusal = { readonly reason: string };

/** Whether something could not be read. */
export function isRefusal(read: object): read is Refusal {
  return 'reason' in read;
}

/** What was read, or why it cannot be. */
export function refusable<T>(read: () => T): T | Refusal {
  try {
    return read();
  } catch (error) {
    if (error instanceof Rejection) return { reason: error.message };
    throw error;
  }
}
