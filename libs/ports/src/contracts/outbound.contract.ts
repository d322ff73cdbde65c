import {
  OutboundError,
  type OutboundErrorKind,
  type OutboundHttp,
  type OutboundMethods,
  type OutboundResponse,
} from '../outbound.ts';
import { assertKept, type ContractCase } from './contract-case.ts';

/** A way out, and peers of each kind to call. Each call gives the URL of a peer of its own. */
export type OutboundFixture = {
  readonly outbound: OutboundMethods;
  /** A peer that always answers so. */
  readonly answering: (response: OutboundResponse) => Promise<string>;
  /** A peer that takes the request and never says anything. */
  readonly silent: () => Promise<string>;
  /** An allowed address at which nobody listens. */
  readonly deserted: () => Promise<string>;
  /** An address that may not be called. */
  readonly forbidden: string;
};

const BODY = Uint8Array.of(0, 10, 128, 255);

function post(outbound: OutboundHttp, url: string, bytesMax = 100, timeoutMs = 5_000): Promise<OutboundResponse> {
  return outbound.post({ url, body: BODY, contentType: 'text/plain', timeoutMs, bytesMax });
}

async function assertFails(kind: OutboundErrorKind, action: () => Promise<unknown>): Promise<void> {
  let failure: unknown;
  try {
    await action();
  } catch (error) {
    failure = error;
  }
  assertKept(failure instanceof OutboundError && failure.kind === kind, `the call must fail with ${kind}`);
}

/** What every adapter of `OutboundHttp` keeps. */
export const outboundContract: readonly ContractCase<OutboundFixture>[] = [
  {
    guarantee: 'an answer comes back whole, whatever its status, and a redirect is not followed',
    async prove({ outbound, answering }) {
      for (const status of [200, 302, 404, 409, 503]) {
        const url = await answering({ status, contentType: 'text/x.tlog.size', body: BODY });
        const answer = await post(outbound, url);
        assertKept(answer.status === status, 'the status must be the one that came');
        assertKept(answer.contentType === 'text/x.tlog.size', 'the type must be the one that came');
        const isSame = answer.body.length === BODY.length && BODY.every((byte, i) => answer.body[i] === byte);
        assertKept(isSame, 'the body must be the bytes that came');
      }
    },
  },
  {
    guarantee: 'any method is sent, and its answer comes with its type and its status',
    async prove({ outbound, answering }) {
      const url = await answering({ status: 200, contentType: 'text/plain', body: BODY });
      for (const method of ['GET', 'POST', 'PUT'] as const) {
        const call = { url, method, body: new Uint8Array(0), contentType: '', timeoutMs: 5_000, bytesMax: 100 };
        const answer = await outbound.send(call);
        assertKept(answer.status === 200 && answer.body.length === BODY.length, `the answer to ${method} must come`);
        assertKept(typeof answer.headers === 'object', 'an answer must have headers');
      }
    },
  },
  {
    guarantee: 'a call that its caller has ended does not go on',
    async prove({ outbound, answering }) {
      const url = await answering({ status: 200, contentType: '', body: BODY });
      const signal = AbortSignal.abort();
      const call = { url, body: BODY, contentType: '', timeoutMs: 60_000, bytesMax: 100, signal };
      await assertFails('timed_out', () => outbound.post(call));
    },
  },
  {
    guarantee: 'an answer is as large as allowed at the most',
    async prove({ outbound, answering }) {
      const url = await answering({ status: 200, contentType: '', body: new Uint8Array(100) });
      assertKept((await post(outbound, url, 100)).body.length === 100, 'an answer of the allowed size must come');
      await assertFails('too_large', () => post(outbound, url, 99));
    },
  },
  {
    guarantee: 'silence ends with the time',
    async prove({ outbound, silent }) {
      const url = await silent();
      await assertFails('timed_out', () => post(outbound, url, 100, 50));
    },
  },
  {
    guarantee: 'an address without anybody is unreachable',
    async prove({ outbound, deserted }) {
      const url = await deserted();
      outbound.assertAllowed(url);
      await assertFails('unreachable', () => post(outbound, url));
    },
  },
  {
    guarantee: 'an address that may not be called is refused when it is set, and again when it is called',
    async prove({ outbound, forbidden }) {
      await assertFails('address_refused', () => post(outbound, forbidden));
      await assertFails('address_refused', () => Promise.resolve().then(() => outbound.assertAllowed(forbidden)));
    },
  },
];
