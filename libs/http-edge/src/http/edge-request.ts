import type { Caller } from '@answer-evidence/access';
import type { RouteRequest } from '@answer-evidence/routes';
import type { ClientRequest } from '../rate-limits/client-address.ts';

/** What a handler gets. A class: its `header` needs no closure for each request. */
export class EdgeRequest implements RouteRequest<unknown, unknown, unknown> {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: Caller | null;
  readonly requestId: string;
  readonly #req: ClientRequest;
  readonly #clientKeyOf: (req: ClientRequest) => string;

  constructor(
    input: { readonly params: unknown; readonly query: unknown; readonly body: unknown },
    caller: Caller | null,
    requestId: string,
    req: ClientRequest,
    clientKeyOf: (req: ClientRequest) => string,
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
export function headerOf(req: ClientRequest, name: string): string | undefined {
  // The headers object inherits from Object.prototype, so a name such as `constructor` finds what nobody sent.
  const value: unknown = req.headers[name];
  return typeof value === 'string' ? value : undefined;
}
