import { ServiceError } from '@answer-evidence/contracts';
import { concatBytes } from '@answer-evidence/encoding';
import { ObjectMissingError, type ObjectName, type ObjectStore, type StoredObject } from '@answer-evidence/ports';

type Kept = { readonly bytes: Uint8Array; readonly storedAtMicros: number };

/** An object store in memory that keeps the contract, and can be away. */
export class MemoryObjects implements ObjectStore {
  /** What is stored; a test may alter it. */
  readonly kept = new Map<ObjectName, Kept>();
  isUnavailable = false;
  readonly #nowMicros: () => number;

  constructor(nowMicros: () => number = () => Date.now() * 1_000) {
    this.#nowMicros = nowMicros;
  }

  async put(name: ObjectName, content: AsyncIterable<Uint8Array>): Promise<number> {
    const pieces: Uint8Array[] = [];
    for await (const piece of content) {
      this.#assertThere();
      pieces.push(piece.slice());
    }
    this.#assertThere();
    const bytes = concatBytes(...pieces);
    this.kept.set(name, { bytes, storedAtMicros: this.#nowMicros() });
    return bytes.length;
  }

  // An async generator, so that nothing happens before the first step.
  // oxlint-disable-next-line typescript/require-await
  async *read(name: ObjectName, range?: { readonly offset: number; readonly length: number }) {
    this.#assertThere();
    const kept = this.kept.get(name);
    if (kept === undefined) throw new ObjectMissingError('no such object');
    const { offset, length } = range ?? { offset: 0, length: kept.bytes.length };
    const wanted = kept.bytes.subarray(offset, offset + length);
    for (let at = 0; at < wanted.length; at += 65_536) yield wanted.slice(at, at + 65_536);
  }

  find(name: ObjectName): Promise<StoredObject | undefined> {
    return this.#answer(() => {
      const kept = this.kept.get(name);
      if (kept === undefined) return undefined;
      return { name, sizeBytes: kept.bytes.length, storedAtMicros: kept.storedAtMicros };
    });
  }

  delete(name: ObjectName): Promise<void> {
    return this.#answer(() => void this.kept.delete(name));
  }

  async *list({ workspaceId = '', after = '' }: { workspaceId?: string; after?: string } = {}) {
    this.#assertThere();
    for (const name of [...this.kept.keys()].sort()) {
      if (!name.startsWith(workspaceId) || name <= after) continue;
      const found = await this.find(name);
      if (found !== undefined) yield found;
    }
  }

  deleteRemains(): Promise<number> {
    return this.#answer(() => 0);
  }

  #answer<T>(answer: () => T): Promise<T> {
    return Promise.resolve().then(() => {
      this.#assertThere();
      return answer();
    });
  }

  #assertThere(): void {
    if (this.isUnavailable)
      throw new ServiceError('object_store_unavailable', 'the store is unavailable', { remedy: 'retry' });
  }
}
