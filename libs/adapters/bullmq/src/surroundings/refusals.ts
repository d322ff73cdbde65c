import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Endpoint } from '../redis-address.ts';
import { readRedisTls, type RedisTlsFiles } from '../redis-tls.ts';

/** Redis answers, and must not be used as it is; the message says in one line what to do. */
export class RedisRefusedError extends Error {
  override readonly name = 'RedisRefusedError';
}

const LOOK_MS = 500;

/** What a certificate is refused for, which no later attempt will change. */
const OF_CERTIFICATES =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_\w+)$/;

/** What a server says of the certificate that it is shown, or not shown. */
const isOfOurCertificate = (code: string) =>
  code.includes('_ALERT_') && (code.includes('CERTIFICATE') || code.endsWith('UNKNOWN_CA'));

const OUR_CERTIFICATE =
  'Redis wants a certificate of the service, and not the one that it has; correct REDIS_TLS_CERT_FILE and ' +
  'REDIS_TLS_KEY_FILE';

/** An error of a connection that stays until somebody changes something; undefined for one that may pass. */
export function refusalOf(error: Error): RedisRefusedError | undefined {
  if (/^(WRONGPASS|NOAUTH|NOPERM)/.test(error.message))
    return new RedisRefusedError('Redis rejects the user or password; correct REDIS_URL');
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (OF_CERTIFICATES.test(code))
    return new RedisRefusedError(
      `the certificate of Redis is not trusted (${code}); name its authority's file in REDIS_TLS_CA_FILE, or ` +
        'correct the certificate',
    );
  if (isOfOurCertificate(code)) return new RedisRefusedError(OUR_CERTIFICATE);
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return new RedisRefusedError(
      'Redis does not speak TLS at this port; begin REDIS_URL with redis instead of rediss, or use its TLS port',
    );
  return undefined;
}

/**
 * Why a server ends connections without a word: it speaks TLS, wants another certificate than that of the files, or is
 * in protected mode. The files are undefined for connections that are not encrypted.
 */
export async function refusalOfSilent(
  server: Endpoint,
  tlsFiles: RedisTlsFiles | undefined,
): Promise<RedisRefusedError | undefined> {
  if (await deniesStrangers(server))
    return new RedisRefusedError(
      'Redis runs in protected mode and accepts connections from its own machine only; give it a password ' +
        '(requirepass, or a user) and put that into REDIS_URL',
    );
  if (tlsFiles !== undefined)
    return (await rejectsCertificate(server, tlsFiles)) ? new RedisRefusedError(OUR_CERTIFICATE) : undefined;
  if (!(await asksForTls(server))) return undefined;
  return new RedisRefusedError('Redis speaks TLS at this port; begin REDIS_URL with rediss instead of redis');
}

/** In protected mode Redis says so before it is asked, and ends the connection; others wait to be asked. */
async function deniesStrangers({ host, port }: Endpoint): Promise<boolean> {
  const socket = connect(port, host);
  return answerOf(socket, (end) => socket.once('data', (bytes) => end(bytes.toString('latin1').startsWith('-DENIED'))));
}

/** Nothing is sent over it, so it does not matter who answers. */
async function asksForTls({ host, port }: Endpoint): Promise<boolean> {
  const socket = connectTls({ host, port, rejectUnauthorized: false });
  return answerOf(socket, (end) => socket.once('secureConnect', () => end(true)));
}

/** It is told after the handshake, which a connection that writes at once does not hear. */
async function rejectsCertificate({ host, port }: Endpoint, tlsFiles: RedisTlsFiles): Promise<boolean> {
  const socket = connectTls({ host, port, rejectUnauthorized: false, ...readRedisTls(tlsFiles) });
  return answerOf(socket, (end) =>
    socket.once('error', (error: NodeJS.ErrnoException) => end(isOfOurCertificate(error.code ?? ''))),
  );
}

/** What `listen` finds out over the socket, or false if the other side says nothing. */
function answerOf(socket: Socket, listen: (end: (answer: boolean) => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    listen(end);
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
    socket.setTimeout(LOOK_MS, () => end(false));
  });
}
