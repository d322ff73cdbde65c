import type { AnswerEvidence } from '../answer-evidence.ts';
import { moveMark, withMark } from './mark.ts';

/**
 * Watches a client, and each client that `withOptions` makes of it. Returns the same client: nothing about it changes
 * but the methods that are watched, so that its own helpers, which call these methods, are watched too. Once more, or
 * of a copy that shares its methods: they are recorded by the evidence that was named last, once.
 */
export function watchClient<Client extends object>(
  client: Client,
  evidence: AnswerEvidence,
  watch: (client: object, evidence: AnswerEvidence) => void,
): Client {
  watch(client, evidence);
  const withOptions: unknown = Reflect.get(client, 'withOptions');
  if (typeof withOptions !== 'function' || moveMark(withOptions, evidence)) return client;
  const derive = withOptions as (this: object, ...args: readonly unknown[]) => object;
  const mark = { evidence };
  const watched = function (this: object, ...args: readonly unknown[]) {
    return watchClient(Reflect.apply(derive, this, args), mark.evidence, watch);
  };
  Reflect.set(client, 'withOptions', withMark(watched, mark));
  return client;
}

/** The object at a path of members, if it is there. */
export function findMember(client: object, ...path: readonly string[]): object | undefined {
  let at: unknown = client;
  for (const name of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined;
  return typeof at === 'object' && at !== null ? at : undefined;
}
