import type { IgnoredReason } from '@answer-evidence/contracts';
import { findReason } from './ignored-reason.ts';
import { findNames } from './listed-attributes.ts';
import type { OtlpItem } from './otlp-item.ts';
import { isRefusal, type ReducedItem } from './reduced-item.ts';

/** Items of a request that have the application, the instrumentation and the reason in common. */
export type IgnoredKind = {
  readonly applicationKey: string;
  readonly scopeName: string;
  readonly reason: IgnoredReason;
  /** Names of the attributes of one of them, without values. */
  readonly attributeNames: readonly string[];
};

/** An item that is no answer by itself. */
type IgnoredItem = {
  readonly kind: number;
  readonly traceId: string | null;
  readonly spanId: string | null;
};

/** The items of a request that are no answers by themselves. Bounded names and no values; plain data. */
export type IgnoredOfRequest = { readonly kinds: readonly IgnoredKind[]; readonly items: readonly IgnoredItem[] };

const SCOPE_LENGTH_MAX = 200;
const NAMES_MAX = 32;
/** The form that names have in every convention; others may be texts of somebody. */
const NAME = /^[a-zA-Z][\w.\-/:]{0,99}$/;

/** Finds them; `reduced` is what was made of the items, in the same order. */
export function findIgnored(items: readonly OtlpItem[], reduced: readonly ReducedItem[]): IgnoredOfRequest {
  const numbers = new Map<string, number>();
  const kinds: IgnoredKind[] = [];
  const ignored: IgnoredItem[] = [];
  for (const [n, { applicationKey, traceId, spanId, ...made }] of reduced.entries()) {
    const item = items[n];
    const reason = item === undefined ? null : findReason(item, made);
    if (item === undefined || reason === null) continue;
    const name = JSON.stringify([applicationKey, item.scope.name, reason]);
    let kind = numbers.get(name);
    if (kind === undefined) {
      kind = kinds.length;
      numbers.set(name, kind);
      const scopeName = boundScope(item.scope.name);
      kinds.push({ applicationKey: applicationKey ?? '', scopeName, reason, attributeNames: boundNames(item) });
    }
    ignored.push({ kind, traceId, spanId });
  }
  return { kinds, items: ignored };
}

/** The states without a named text, of a trace that was decided without any answer. Their scopes are not kept. */
export function findUnread(items: readonly ReducedItem[]): IgnoredOfRequest {
  const unread = items.filter(
    ({ answer }) => answer !== null && !isRefusal(answer.content) && answer.content.hasUnreadState,
  );
  const applicationKey = unread[0]?.applicationKey ?? '';
  return {
    kinds: [{ applicationKey, scopeName: '', reason: 'unread_state', attributeNames: [] }],
    items: unread.map(({ traceId, spanId }) => ({ kind: 0, traceId, spanId })),
  };
}

function boundNames(item: OtlpItem): readonly string[] {
  const { read, notRead } = findNames(item);
  return [...read, ...notRead].filter((name) => NAME.test(name)).slice(0, NAMES_MAX);
}

/** A scope's name as far as it is kept. */
export function boundScope(name: string): string {
  return name
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .slice(0, SCOPE_LENGTH_MAX)
    .toWellFormed();
}
