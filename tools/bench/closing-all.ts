const EXIT_INTERRUPTED = 130;

/** What has to be closed, in the order in which it was opened. */
export type Opened = (() => Promise<void>)[];

/**
 * Runs what opens things: processes, folders. They are closed when it has ended or is interrupted, last opened first;
 * an interrupt then ends this process.
 */
export async function closingAll<T>(run: (opened: Opened) => Promise<T>): Promise<T> {
  const opened: Opened = [];
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= closeAll(opened));
  const interrupt = () => void close().finally(() => process.exit(EXIT_INTERRUPTED));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await run(opened);
  } finally {
    // What an interrupt has closed fails here: that is no news, and the process ends as the interrupt says.
    await close();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

async function closeAll(opened: Opened): Promise<void> {
  for (let one = opened.pop(); one !== undefined; one = opened.pop()) await one();
}
