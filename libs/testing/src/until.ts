/** Resolves when the condition holds; rejects after a deadline that no healthy machine needs. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, deadlineMs = 60_000): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  // Asking takes the processor from what is awaited.
  for (let pauseMs = 10; !(await holds()); pauseMs = Math.min(pauseMs * 1.5, 200)) {
    if (performance.now() > deadline) throw new Error(`${what} did not come true in time`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** The same until a request is answered, however it is. */
export function untilAnswered(what: string, ask: () => Promise<unknown>, deadlineMs?: number): Promise<void> {
  const isAnswered = () =>
    ask().then(
      () => true,
      () => false,
    );
  return until(`an answer of ${what}`, isAnswered, deadlineMs);
}
