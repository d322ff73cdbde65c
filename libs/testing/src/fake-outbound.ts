import {
  type OutboundCall,
  OutboundError,
  type OutboundMethods,
  type OutboundReply,
  type OutboundRequest,
  type OutboundResponse,
} from '@answer-evidence/ports';

/** Answers a request, or throws the `OutboundError` that its sender is to meet. */
export type FakePeer = (request: OutboundRequest) => OutboundResponse | Promise<OutboundResponse>;

/** Peers in memory, each at the exact URL it was put to; elsewhere nobody is reached. */
export class FakeOutbound implements OutboundMethods {
  /** Every request that was let out, the oldest first. */
  readonly sent: OutboundRequest[] = [];
  readonly #peers = new Map<string, FakePeer>();
  readonly #forbidden = new Set<string>();

  /** From now on, this peer answers at the URL. */
  put(url: string, peer: FakePeer): void {
    this.#peers.set(url, peer);
  }

  /** From now on, the URL may not be called. */
  forbid(url: string): void {
    this.#forbidden.add(url);
  }

  assertAllowed(url: string): void {
    if (this.#forbidden.has(url)) throw new OutboundError('address_refused', 'the address is forbidden');
  }

  post(request: OutboundRequest): Promise<OutboundResponse> {
    return this.#answer(request);
  }

  async send(call: OutboundCall): Promise<OutboundReply> {
    return { headers: {}, ...(await this.#answer(call)) };
  }

  async #answer(request: OutboundRequest): Promise<OutboundResponse> {
    if (request.signal?.aborted === true) throw new OutboundError('timed_out', 'the call was ended');
    this.assertAllowed(request.url);
    this.sent.push(request);
    const peer = this.#peers.get(request.url);
    if (peer === undefined) throw new OutboundError('unreachable', 'nobody is there');
    const response = await peer(request);
    if (response.body.byteLength > request.bytesMax) throw new OutboundError('too_large', 'the answer is too large');
    return response;
  }
}

/** A peer that never answers, with the wait left out. */
export const silentPeer: FakePeer = () => {
  throw new OutboundError('timed_out', 'there was no answer in time');
};
