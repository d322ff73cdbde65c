import type { EntryType } from '@answer-evidence/contracts';
import { type PlacedEntry, PLACES } from './entry-kinds.ts';
import { IdTable } from './id-table.ts';
import { judgeCount, SequenceOrder } from './sequence-order.ts';

/** A read of a root hash: it depends on every id of the log, so that nobody can choose ids by it. */
export function seedOf(root: Uint8Array): number {
  return new DataView(root.buffer, root.byteOffset, root.byteLength).getInt32(0);
}

/**
 * Whether each leaf of a log is in its place, told leaf by leaf: every rule of docs/formats/log.md that can be decided
 * from the entries before it. Memory grows by about 100 bytes a leaf. `seed` is for its tables of ids.
 */
export class LogOrder {
  #size = 0;
  #isWhole = true;
  readonly #sequence = new SequenceOrder();
  readonly #ids: IdTable;
  readonly #logs = new Set<string>();
  #workspace: string | undefined;
  /** The `seq` of the last event of each record. */
  readonly #records: IdTable;
  readonly #assets: IdTable;
  /** Records and assets that a leaf was about before they were known: a leaf that was passed over may be theirs. */
  readonly #awaited: IdTable;

  constructor(seed: number) {
    this.#ids = new IdTable(seed);
    this.#records = new IdTable(seed);
    this.#assets = new IdTable(seed);
    this.#awaited = new IdTable(seed);
  }

  /** How many leaves are behind, those that were passed over among them. */
  get size(): number {
    return this.#size;
  }

  /** Passes over leaves that a copy of the log lacks: whatever could stand there counts as there. */
  skip(leaves: number): void {
    this.#size += leaves;
    this.#isWhole &&= leaves === 0;
  }

  /** Takes in the next leaf, whatever is wrong with it. Returns what is, as sentences. */
  add(entry: PlacedEntry): readonly string[] {
    const leaf = this.#size;
    const before = { size: leaf, isWhole: this.#isWhole };
    const faults = [
      ...this.#sequence.add(entry, before),
      this.#judgeId(entry),
      this.#judgeName(entry),
      this.#judgeOwner(entry),
    ];
    this.#size += 1;
    return faults.flatMap((fault) => (fault === undefined ? [] : [`leaf ${leaf} ${fault}`]));
  }

  #judgeId({ type, id }: PlacedEntry): string | undefined {
    const isTaken = this.#ids.get(id) !== undefined;
    this.#ids.set(id, 0);
    if (!isTaken) return undefined;
    return type === 'answer_recorded' ? 'records a record a second time' : 'has the id of an earlier leaf';
  }

  /** An id names one thing: a log, the workspace, a record or an asset. */
  #judgeName({ type, subject }: PlacedEntry): string | undefined {
    const own = kindOf(type);
    if (own === 'log') this.#logs.add(subject);
    if (own === 'workspace') this.#workspace ??= subject;
    const named = {
      log: this.#logs.has(subject),
      workspace: this.#workspace === subject,
      record: this.#records.get(subject) !== undefined,
      asset: this.#assets.get(subject) !== undefined,
    };
    const other = KINDS.find((kind) => kind !== own && named[kind]);
    return other === undefined ? undefined : `has as its subject the id of ${NOUNS[other]}`;
  }

  /** What an entry is about must be there before it. */
  #judgeOwner({ type, subject, seq }: PlacedEntry): string | undefined {
    const own = kindOf(type);
    if (own !== 'record' && own !== 'asset') return undefined;
    const known = own === 'record' ? this.#records : this.#assets;
    const last = known.get(subject);
    if (type === 'answer_recorded' || type === 'evidence_registered') {
      if (last === undefined) known.set(subject, 0);
      if (this.#awaited.get(subject) !== undefined) return `comes after a leaf that is about its ${own}`;
      return own === 'asset' && last !== undefined ? 'registers an asset a second time' : undefined;
    }
    const isCounted = PLACES[type][1] === 'of-record';
    if (last === undefined) {
      if (this.#isWhole) return `is about ${NOUNS[own]} that no leaf before it ${VERBS[own]}`;
      // A leaf that is missing may be the one.
      this.#awaited.set(subject, 0);
      known.set(subject, 0);
    }
    if (isCounted) known.set(subject, Math.max(last ?? 0, seq));
    // That no number is 0 is a rule of its own.
    return isCounted && seq > 0 ? judgeCount(last ?? 0, seq, this.#isWhole) : undefined;
  }
}

/** What an id can name, and how messages call it. */
const NOUNS = { log: 'a log', workspace: 'the workspace', record: 'a record', asset: 'an asset' } as const;
const VERBS = { record: 'records', asset: 'registers' } as const;
type Kind = keyof typeof NOUNS;
const KINDS: readonly Kind[] = ['log', 'workspace', 'record', 'asset'];

function kindOf(type: EntryType): Kind {
  const [about] = PLACES[type];
  if (about !== 'itself') return about;
  return type === 'answer_recorded' ? 'record' : 'log';
}

const LISTED_MAX = 3;

/** The faults of a log: the first ones, and how many there are. */
export class OrderFaults {
  #total = 0;
  readonly #listed: string[] = [];

  add(faults: readonly string[]): void {
    this.#total += faults.length;
    this.#listed.push(...faults.slice(0, LISTED_MAX - this.#listed.length));
  }

  /** One sentence of them; undefined where there is none. */
  describe(): string | undefined {
    if (this.#total === 0) return undefined;
    const more = this.#total > this.#listed.length ? `; and ${this.#total - this.#listed.length} more faults` : '';
    return `the log is out of order: ${this.#listed.join('; ')}${more}`;
  }
}
