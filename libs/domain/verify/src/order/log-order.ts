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
  /** The `seq` of the last event of each record. */
  readonly #records: IdTable;
  readonly #assets: IdTable;

  constructor(seed: number) {
    this.#ids = new IdTable(seed);
    this.#records = new IdTable(seed);
    this.#assets = new IdTable(seed);
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
    const faults = [...this.#sequence.add(entry, before), this.#judgeId(entry), this.#judgeOwner(entry)];
    this.#size += 1;
    return faults.flatMap((fault) => (fault === undefined ? [] : [`leaf ${leaf} ${fault}`]));
  }

  #judgeId({ type, id }: PlacedEntry): string | undefined {
    const isTaken = this.#ids.get(id) !== undefined;
    this.#ids.set(id, 0);
    if (!isTaken) return undefined;
    return type === 'answer_recorded' ? 'records a record a second time' : 'has the id of an earlier leaf';
  }

  /** What an entry is about must be there before it. */
  #judgeOwner({ type, subject, seq }: PlacedEntry): string | undefined {
    if (type === 'answer_recorded') {
      if (this.#records.get(subject) === undefined) this.#records.set(subject, 0);
      return undefined;
    }
    const [kind, counted] = PLACES[type];
    if (kind === 'record') {
      const last = this.#records.get(subject);
      if (counted === 'of-record') this.#records.set(subject, Math.max(last ?? 0, seq));
      if (last === undefined && this.#isWhole) return 'is about a record that no leaf before it records';
      return counted === 'of-record' ? judgeCount(last ?? 0, seq, this.#isWhole) : undefined;
    }
    if (kind !== 'asset') return undefined;
    const isKnown = this.#assets.get(subject) !== undefined;
    if (type !== 'evidence_registered')
      return isKnown || !this.#isWhole ? undefined : 'is about an asset that no leaf before it registers';
    this.#assets.set(subject, 0);
    return isKnown ? 'registers an asset a second time' : undefined;
  }
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
