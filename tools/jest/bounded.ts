/** The time that a test or a hook has unless it says otherwise, in milliseconds. */
const DEFAULT_TIMEOUT = 60_000;

/** The test or hook, failing with `exceeded timeout` when it has not ended after `timeout` milliseconds. */
export function bounded(fn: () => unknown, timeout = DEFAULT_TIMEOUT): () => Promise<void> {
  return async () => {
    const { promise: expired, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(new Error(`exceeded timeout of ${timeout} ms`));
    }, timeout);
    try {
      await Promise.race([fn(), expired]);
    } finally {
      clearTimeout(timer);
    }
  };
}
