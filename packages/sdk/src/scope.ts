import { AsyncLocalStorage } from 'node:async_hooks';
import type { JsonObject } from '@answer-evidence/contracts';
import type { Answer } from './answer.ts';

/** What the answers of one request have in common. Each field of an answer wins over the one here. */
export type ScopeFields = Partial<Omit<Answer, 'question' | 'answer'>> & {
  /** What the person asked, for wrappers: a prompt often holds more than that. */
  readonly question?: string;
};

type Scope = {
  readonly fields: ScopeFields;
  readonly sources: JsonObject[];
  readonly accesses: string[];
  answers: number;
};

/** Binds what is found out during a request to the answers that are recorded in it, through every `await`. */
export class Scopes {
  readonly #storage = new AsyncLocalStorage<Scope>();

  /** Runs a function as one request. */
  run<T>(fields: ScopeFields, work: () => T): T {
    return this.#storage.run({ fields, sources: [], accesses: [], answers: 0 }, work);
  }

  /** What the person asked, where the request says it. */
  get question(): string | undefined {
    return this.#storage.getStore()?.fields.question;
  }

  /** Adds sources, and accesses to evidence, to the answers that follow. Outside of a request nothing happens. */
  add(sources: readonly JsonObject[], accesses: readonly string[] = []): void {
    const scope = this.#storage.getStore();
    scope?.sources.push(...sources);
    scope?.accesses.push(...accesses);
  }

  /** An answer with what its request has. A second answer gets a key of its own, derived from that of the request. */
  complete(answer: Answer): Answer {
    const scope = this.#storage.getStore();
    if (scope === undefined) return answer;
    const { question: _asked, ...fields } = scope.fields;
    scope.answers += 1;
    const { idempotency_key: key } = fields;
    const ownKey = key !== undefined && scope.answers > 1 ? `${key}:${scope.answers}` : key;
    return {
      ...fields,
      ...(ownKey === undefined ? {} : { idempotency_key: ownKey }),
      ...answer,
      ...joined('source_refs', fields.source_refs, scope.sources, answer.source_refs),
      ...joined('semantic_refs', fields.semantic_refs, answer.semantic_refs),
      ...joined(
        'evidence_access_event_ids',
        fields.evidence_access_event_ids,
        scope.accesses,
        answer.evidence_access_event_ids,
      ),
    };
  }
}

/** One list of several, as a member of that name; nothing where all are empty. */
function joined<Name extends string, Item>(
  name: Name,
  ...lists: readonly (readonly Item[] | undefined)[]
): { readonly [name in Name]?: Item[] } {
  const items = lists.flatMap((list) => list ?? []);
  return items.length === 0 ? {} : ({ [name]: items } as { readonly [name in Name]: Item[] });
}
