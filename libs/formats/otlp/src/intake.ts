import type { OtlpBatch, OtlpItem, OtlpSignal, RejectedItem } from '@answer-evidence/otlp-mapping';
import type { OtlpLimits } from './limits.ts';
import { OtlpError } from './otlp-error.ts';

/**
 * What is known of the request while it is read: how much of its limits is used, and what is wrong with the part that
 * is being read. Readers go on after a fault of an item, so that bytes that are no message are found wherever they are.
 */
export class Intake {
  readonly limits: OtlpLimits;
  readonly signal: OtlpSignal;
  /** Those that can be judged, so far. */
  readonly items: OtlpItem[] = [];
  /** The first fault of what is being read: an item, a resource or a scope. */
  fault: string | null = null;
  #warning: string | undefined;
  readonly #rejected: RejectedItem[] = [];
  #items = 0;
  #groups = 0;
  #values = 0;

  constructor(limits: OtlpLimits, signal: OtlpSignal) {
    this.limits = limits;
    this.signal = signal;
  }

  /** The index of the next item. Throws `OtlpError` when there are too many. */
  countItem(): number {
    const index = this.#items++;
    if (index >= this.limits.itemsMax)
      throw tooManyItems(this.signal === 'traces' ? 'spans' : 'log records', this.limits);
    return index;
  }

  /** Counts a resource or a scope. Throws `OtlpError` when there are too many. */
  countGroup(): void {
    if (++this.#groups > 2 * this.limits.itemsMax) throw tooManyItems('resources and scopes', this.limits);
  }

  /** Counts a value. Throws `OtlpError` when there are too many. */
  countValue(): void {
    if (++this.#values <= this.limits.valuesMax) return;
    const { valuesMax } = this.limits;
    throw new OtlpError('too_many_values', `the request has more than ${valuesMax} values: send smaller batches`);
  }

  /** Rejects an item that was never made. */
  rejectItem(item: RejectedItem): void {
    this.#rejected.push(item);
  }

  /** Rejects the items that were made since there were `first` of them. */
  rejectItemsFrom(first: number, reason: string): void {
    for (const { index, traceId, spanId } of this.items.splice(first)) {
      this.#rejected.push({ index, traceId, spanId, reason });
    }
  }

  /** All that was read, each list in the order of the request. */
  finish(): OtlpBatch {
    const rejected = this.#rejected.sort((a, b) => a.index - b.index);
    const batch = { signal: this.signal, items: this.items, rejected };
    return this.#warning === undefined ? batch : { ...batch, warning: this.#warning };
  }

  /** Keeps the first warning: what is probably a mistake of the sender, and no item that could be rejected. */
  warn(text: string): void {
    this.#warning ??= text;
  }

  /** Keeps the first fault. */
  reject(reason: string): void {
    this.fault ??= reason;
  }

  /** The fault since the last call, which is then forgotten. */
  takeFault(): string | null {
    const { fault } = this;
    this.fault = null;
    return fault;
  }

  rejectText(what: string): void {
    this.reject(`${what} has more than ${this.limits.textMaxBytes} bytes`);
  }

  rejectAttributes(): void {
    this.reject(`more than ${this.limits.attributesMax} attributes in one list`);
  }

  rejectEvents(): void {
    this.reject(`the span has more than ${this.limits.eventsMax} events`);
  }

  rejectDepth(): void {
    this.reject(`a value is nested deeper than ${this.limits.depthMax} levels`);
  }
}

function tooManyItems(what: string, { itemsMax }: OtlpLimits): OtlpError {
  return new OtlpError(
    'too_many_items',
    `the request has more than ${itemsMax} ${what}: configure smaller batches in the exporter (OTEL_BSP_MAX_EXPORT_BATCH_SIZE, OTEL_BLRP_MAX_EXPORT_BATCH_SIZE)`,
  );
}
