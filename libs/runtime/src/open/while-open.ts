import type { ErrorSinks } from './open-stores.ts';

const UNHEARD: ErrorSinks = { fatal: () => undefined, idleError: () => undefined };

/** Runs the action on stores that are open for it alone. */
export async function whileOpen<S extends { close(): Promise<void> }, T>(
  open: (on: ErrorSinks) => Promise<S>,
  action: (stores: S) => Promise<T>,
): Promise<T> {
  const stores = await open(UNHEARD);
  try {
    return await action(stores);
  } finally {
    await stores.close();
  }
}
