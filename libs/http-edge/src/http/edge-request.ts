import type { Caller } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import type { RouteRequest } from '@answer-evidence/routes';
import type { ClientRequest } from '../rate-limits/client-address.ts';

/** What a handler gets. A class: its `header` needs no closure for each request. */
export class EdgeRequest implements RouteRequest<unknown, unknown, unknown> {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly knownCaller: Caller | null;
  readonly requestId: string;
  readonly #req: ClientRequest;
  readonly #clientKeyOf: (req: ClientRequest) => string;

  constructor(
    input: { readonly params: unknown; readonly query: unknown; readonly body: unknown },
    knownCaller: Caller | null,
    requestId: string,
    req: ClientRequest,
    clientKeyOf: (req: ClientRequest) => string,
  ) {
    this.params = input.params;
    this.query = input.query;
    this.body = input.body;
    this.knownCaller = knownCaller;
    this.requestId = requestId;
    this.#req = req;
    this.#clientKeyOf = clientKeyOf;
  }

  get caller(): Caller {
    if (this.knownCaller === null)
      throw new ServiceError('unauthenticated', 'a bearer token is required; send Authorization: Bearer TOKEN');
    return this.knownCaller;
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
