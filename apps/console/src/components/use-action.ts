import { useCallback, useState } from 'react';

type Action = {
  readonly isBusy: boolean;
  /** What the last run threw; null while there is nothing to say. */
  readonly error: unknown;
  /** Runs it, unless one is running. Resolves to whether it succeeded; never throws. */
  readonly run: (action: () => Promise<void>) => Promise<boolean>;
};

/** One thing that a reader starts: whether it is on its way, and how it failed. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = useCallback(
    async (action: () => Promise<void>) => {
      if (isBusy) return false;
      setBusy(true);
      setError(null);
      try {
        await action();
        return true;
      } catch (failed) {
        setError(failed);
        return false;
      } finally {
        setBusy(false);
      }
    },
    [isBusy],
  );
  return { isBusy, error, run };
}
