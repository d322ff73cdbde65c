import type { IncomingMessage } from 'node:http';
import type { Caller } from '@answer-evidence/access';
import type { RouteRequest } from '@answer-evidence/routes';

/** What a handler gets. A class: its `header` needs no closure for each request. */
export class EdgeRequest implements RouteRequest<unknown, unknown, unknown> {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: Caller | null;
  readonly requestId: string;
  readonly #req: IncomingMessage;
  readonly #clientKeyOf: (req: IncomingMessage) => string;

  constructor(
    input: { readonly params: unknown; readonly query: unknown; readonly body: unknown },
    caller: Caller | null,
    requestId: string,
    req: IncomingMessage,
    clientKeyOf: (req: IncomingMessage) => string,
  ) {
    this.params = input.params;
    this.query = input.query;
    this.body = input.body;
    this.caller = caller;
    this.requestId = requestId;
    this.#req = req;
    this.#clientKeyOf = clientKeyOf;
  }

  header(name: string): string | undefined {
    return headerOf(this.#req, name);
  }

  clientKey(): string {
    return this.#clientKeyOf(this.#req);
  }
}

/** A header by its lower-case name, or undefined. */
export function headerOf(req: IncomingMessage, name: string): string | undefined {
  // The headers object inherits from Object.prototype, so a name such as `constructor` finds what nobody sent.
  const value: unknown = req.headers[name];
  return typeof value === 'string' ? value : undefined;
}
