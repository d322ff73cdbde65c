/**
 * Runs something for each item, for at most `atOnce` of them at a time, and gives the results in the order of the
 * items. What it runs fails the iteration at its place, and nothing that was begun is left unobserved.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  atOnce: number,
  run: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      if (running.length >= atOnce) yield await (running.shift() as Promise<Result>);
      const result = run(item);
      result.catch(() => undefined);
      running.push(result);
    }
    for (let next = running.shift(); next !== undefined; next = running.shift()) yield await next;
  } finally {
    await Promise.allSettled(running);
  }
}
