/** Runs something for each item, in their order, for at most `atOnce` of them at a time. */
export async function inTurns<T>(items: readonly T[], atOnce: number, run: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  async function work(): Promise<void> {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await run(item);
  }
  await Promise.all(Array.from({ length: atOnce }, work));
}
