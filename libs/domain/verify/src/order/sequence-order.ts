import type { EntryType } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import { type PlacedEntry, PLACES } from './entry-kinds.ts';

/** What was known of the leaves before; `isWhole`: none was passed over. */
type Before = { readonly size: number; readonly isWhole: boolean };

/** What is remembered of the leaves so far; plain data. */
export type OrderSoFar = {
  readonly lastAt: number | null;
  readonly lastLeaf: number;
  readonly workspace: string | null;
  readonly counts: readonly (readonly [EntryType, number])[];
};

/** The rules of a log's order that need no memory of single ids: times, genesis, subjects by kind, and numbers. */
export class SequenceOrder {
  #lastAt: number | undefined;
  #lastLeaf = 0;
  #workspace: string | undefined;
  readonly #counts: Map<EntryType, number>;

  constructor(before?: OrderSoFar) {
    this.#lastAt = before?.lastAt ?? undefined;
    this.#lastLeaf = before?.lastLeaf ?? 0;
    this.#workspace = before?.workspace ?? undefined;
    this.#counts = new Map(before?.counts);
  }

  get soFar(): OrderSoFar {
    return {
      lastAt: this.#lastAt ?? null,
      lastLeaf: this.#lastLeaf,
      workspace: this.#workspace ?? null,
      counts: [...this.#counts],
    };
  }

  /** Takes in the leaf that comes next, whatever is wrong with it. Returns what is, as predicates. */
  add(entry: PlacedEntry, before: Before): readonly string[] {
    return [
      this.#judgeTime(entry, before),
      judgeGenesis(entry, before),
      this.#judgeSubject(entry),
      this.#judgeSeq(entry, before),
    ].filter((fault) => fault !== undefined);
  }

  /** Each leaf takes a microsecond, those that were passed over too. */
  #judgeTime({ at }: PlacedEntry, { size }: Before): string | undefined {
    const [last, leaf] = [this.#lastAt, this.#lastLeaf];
    this.#lastAt = at;
    this.#lastLeaf = size;
    if (last === undefined || at >= last + (size - leaf)) return undefined;
    return `has the time ${formatTimestamp(at)}, which is not later than ${formatTimestamp(last)} of leaf ${leaf}`;
  }

  #judgeSubject({ type, id, subject }: PlacedEntry): string | undefined {
    const [kind] = PLACES[type];
    if (kind === 'itself') return subject === id ? undefined : 'has a subject other than its own id';
    if (kind !== 'workspace') return undefined;
    this.#workspace ??= subject;
    return subject === this.#workspace ? undefined : 'is about another workspace than the leaves before it';
  }

  #judgeSeq({ type, seq }: PlacedEntry, { isWhole }: Before): string | undefined {
    switch (PLACES[type][1]) {
      case 'zero':
        return seq === 0 ? undefined : `has the seq ${seq}, but its type has 0`;
      case 'of-type': {
        const last = this.#counts.get(type) ?? 0;
        this.#counts.set(type, Math.max(last, seq));
        return judgeCount(last, seq, isWhole);
      }
      case 'of-record':
      case 'of-member':
        return seq > 0 ? undefined : 'has the seq 0, but its type counts from 1';
    }
  }
}

function judgeGenesis({ type }: PlacedEntry, { size }: Before): string | undefined {
  if ((type === 'genesis') === (size === 0)) return undefined;
  return size === 0 ? 'is not the genesis of the log' : 'is a second genesis';
}

/** Whether a number is the one that follows; where leaves were passed over, they may have taken some. */
export function judgeCount(last: number, seq: number, isWhole: boolean): string | undefined {
  if (isWhole ? seq === last + 1 : seq > last) return undefined;
  return `has the seq ${seq}, but the one before it has ${last}`;
}
