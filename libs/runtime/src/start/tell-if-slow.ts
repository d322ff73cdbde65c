import type { Report } from '../ground/report.ts';

const FIRST_MS = 5_000;

/** Waits for the action, and says after some seconds, and then less and less often, what it waits for. */
export async function tellIfSlow<T>(
  report: Report,
  what: string,
  action: () => Promise<T>,
  firstMs = FIRST_MS,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tellAfter = (ms: number): void => {
    timer = setTimeout(() => {
      report(`still waiting for ${what}`);
      tellAfter(ms * 2);
    }, ms).unref();
  };
  tellAfter(firstMs);
  try {
    return await action();
  } finally {
    clearTimeout(timer);
  }
}
