import type { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import { ServiceError } from '@answer-evidence/contracts';

/** Values of a part's headers by their lower-case names, one character a byte; a name that is repeated has several. */
export type PartHeaders = Readonly<Record<string, readonly string[] | undefined>>;

/** A part whose headers are whole; its content is on the way. */
export type Part = { readonly headers: PartHeaders; readonly content: Readable };

/** What the headers of a part may have; more is refused, since a proxy might read what we would not. */
const HEADERS_MAX = 16;
const HEADER_BYTES_MAX = 8 * 1024;

/** `multipart_not_valid`; the pointer names the part. */
export function multipartFault(detail: string, pointer = ''): ServiceError {
  return new ServiceError('multipart_not_valid', 'the multipart body is invalid', {
    errors: [{ pointer, detail }],
  });
}

function hasTooManyHeaders({ headers }: Part): boolean {
  const pairs = Object.entries(headers).flatMap(([name, values = []]) =>
    values.map((value) => name.length + value.length),
  );
  return pairs.length > HEADERS_MAX || pairs.reduce((sum, length) => sum + length, 0) > HEADER_BYTES_MAX;
}

/** Takes a multipart body apart as it comes; readers hold `sink` up. After `fail`, all rejects with its cause. */
export class PartQueue {
  readonly sink: Dicer;
  readonly #begun: Part[] = [];
  readonly #open = new Set<Readable>();
  #isWhole = false;
  #failure: { readonly cause: unknown } | undefined;
  #wake: () => void = () => undefined;
  #headless = 0;

  constructor(boundary: string) {
    // As much as shows that there is more. The types of the parser leave the size out.
    const limits = { maxHeaderPairs: HEADERS_MAX + 1, maxHeaderSize: 2 * HEADER_BYTES_MAX };
    this.sink = new Dicer({ boundary, ...limits });
    this.sink.on('part', (content) => this.#begin(content));
    this.sink.on('error', () =>
      this.fail(multipartFault('the body must end with the closing boundary; it is truncated or has another boundary')),
    );
    this.sink.on('finish', () => {
      // The headers of a part may end with the part itself; then nothing was said of it until now.
      if (this.#headless > 0) this.fail(multipartFault('each part must begin with headers and an empty line'));
      this.#isWhole = true;
      this.#wake();
    });
  }

  /** The next part; undefined at the proper end of the body. The part before must have been read to its end. */
  async next(): Promise<Part | undefined> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.cause;
      const part = this.#begun.shift();
      if (part !== undefined || this.#isWhole) return part;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** The content of a part. Each piece is asked for when the one before was taken. */
  async *read({ content }: Part): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of content as AsyncIterable<Uint8Array>) yield piece;
    } catch (error) {
      throw this.#failure === undefined ? error : this.#failure.cause;
    }
    if (this.#failure !== undefined) throw this.#failure.cause;
  }

  /** Ends everything; the first cause counts. */
  fail(cause: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { cause };
    for (const content of this.#open) content.destroy();
    this.#wake();
  }

  #begin(content: Readable): void {
    this.#headless++;
    this.#open.add(content);
    content.on('header', (headers: object) => {
      this.#headless--;
      const part = { headers: headers as PartHeaders, content };
      if (hasTooManyHeaders(part))
        return this.fail(
          multipartFault(`each part may have at most ${HEADERS_MAX} headers of ${HEADER_BYTES_MAX} bytes together`),
        );
      this.#begun.push(part);
      this.#wake();
    });
    // It is told by `sink`, too.
    content.on('error', () => undefined);
    content.on('close', () => this.#open.delete(content));
    if (this.#failure !== undefined) content.destroy();
  }
}
