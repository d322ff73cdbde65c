import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { OutboundError, type OutboundTls, type TlsDelivery } from '@answer-evidence/ports';
import { judgePems } from './judge-pems.ts';
import { type JudgedUrl, judgeUrl } from './judge-url.ts';
import type { OutboundOptions } from './outbound-http.ts';
import { type PinnedAddress, pinTo, resolveBySystem, resolveJudged } from './resolve-judged.ts';
import { timedOut, withinTime } from './within-time.ts';

/** What the other side may send before its end; it has nothing to say. */
const ANSWER_BYTES_MAX = 64 * 1024;

/**
 * After the last byte, for so long, an end or a reset is not taken for the other side's response to ours: a process
 * that dies has its connections ended too.
 */
const GRACE_MS = 100;

/** Delivers over `node:tls`, to places that would be allowed as the host and port of a https URL. */
export function createOutboundTls(options: OutboundOptions): OutboundTls {
  const resolve = options.resolve ?? resolveBySystem;
  const judgePlace = (host: string, port: number) => {
    // Else a port within the host would be judged, and the other one called.
    if (host.includes(':') && isIP(host) !== 6)
      throw new OutboundError('address_refused', 'the host is neither a name nor an address');
    return judgeUrl(formatUrl(host, port), options);
  };
  return {
    assertPlaceAllowed(host, port) {
      judgePlace(host, port);
    },
    judgePems,
    async deliver(delivery) {
      const judged = judgePlace(delivery.host, delivery.port);
      await withinTime(delivery, async (signal) => {
        const addresses = await resolveJudged(judged, resolve, signal);
        await exchange(judged, addresses, { ...delivery, ca: delivery.ca ?? options.ca }, signal);
      });
    },
  };
}

/** In the form that is judged: of a default port nothing is written, and an address of IPv6 is in brackets. */
function formatUrl(host: string, port: number): string {
  const shown = isIP(host) === 6 ? `[${host}]` : host;
  return `https://${shown}${port === 443 ? '' : `:${port}`}/`;
}

function exchange(
  { host }: JudgedUrl,
  addresses: readonly PinnedAddress[],
  { port, bytes, ca, certificate, key }: TlsDelivery,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let socket: ReturnType<typeof connect>;
    let received = 0;
    const fail = (error: unknown): void => {
      reject(toOutboundError(error));
      socket?.destroy();
    };
    const expire = () => fail(timedOut());
    try {
      socket = connect({
        host,
        port,
        lookup: pinTo(addresses),
        ...(isIP(host) === 0 ? { servername: host } : {}),
        ...(ca === undefined ? {} : { ca }),
        ...(certificate === undefined || key === undefined ? {} : { cert: certificate, key }),
        // Said outright, since the environment can turn the check off (NODE_TLS_REJECT_UNAUTHORIZED).
        rejectUnauthorized: true,
      });
    } catch (error) {
      // Certificates or a key that are none.
      reject(toOutboundError(error));
      return;
    }
    signal.addEventListener('abort', expire, { once: true });
    socket.once('close', () => signal.removeEventListener('abort', expire));
    socket.once('error', fail);
    socket.on('data', (chunk: Uint8Array) => {
      received += chunk.byteLength;
      if (received > ANSWER_BYTES_MAX) fail(new OutboundError('too_large', 'the response is larger than allowed'));
    });
    let isSent = false;
    const end = (): void => {
      isSent = !socket.destroyed;
      socket.end();
    };
    socket.once('secureConnect', () => socket.write(bytes, () => void setTimeout(end, GRACE_MS)));
    socket.once('end', () => {
      // It ended by itself, so it may not have read everything.
      if (!isSent) fail(new OutboundError('unreachable', 'the connection ended early'));
    });
    // By now both sides have said that nothing more comes: what was sent is read, or the connection would be reset.
    socket.once('close', (hadError) => {
      if (hadError || !isSent) fail(new OutboundError('unreachable', 'the connection failed'));
      else resolve();
    });
  });
}

function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  return new OutboundError('unreachable', 'the connection failed', { cause: error });
}
