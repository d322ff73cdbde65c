import type { AnswerEvidence } from '../answer-evidence.ts';

/** Marks a client whose calls are recorded, with the evidence that records them. */
const WATCHED = Symbol.for('answer-evidence.watched');

/**
 * Watches a client once, and each client that `withOptions` makes of it. Returns the same client: nothing about it
 * changes but the methods that are watched, so that its own helpers, which call these methods, are watched too.
 */
export function watchClient<Client extends object>(
  client: Client,
  evidence: AnswerEvidence,
  watch: (client: object) => void,
): Client {
  if (Reflect.get(client, WATCHED) === evidence) return client;
  Object.defineProperty(client, WATCHED, { value: evidence, configurable: true });
  watch(client);
  const withOptions: unknown = Reflect.get(client, 'withOptions');
  if (typeof withOptions === 'function') {
    const derive = withOptions as (this: object, ...args: readonly unknown[]) => object;
    Reflect.set(client, 'withOptions', function (this: object, ...args: readonly unknown[]) {
      return watchClient(Reflect.apply(derive, this, args), evidence, watch);
    });
  }
  return client;
}

/** The object at a path of members, if it is there. */
export function findMember(client: object, ...path: readonly string[]): object | undefined {
  let at: unknown = client;
  for (const name of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined;
  return typeof at === 'object' && at !== null ? at : undefined;
}
