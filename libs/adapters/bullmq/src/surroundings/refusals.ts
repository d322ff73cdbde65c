import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Endpoint } from '../redis-address.ts';

/** Redis answers, and must not be used as it is; the message says in one line what to do. */
export class RedisRefusedError extends Error {
  override readonly name = 'RedisRefusedError';
}

const LOOK_MS = 500;

/** What a certificate is refused for, which no later attempt will change. */
const OF_CERTIFICATES =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_\w+)$/;

/** An error of a connection that stays until somebody changes something; undefined for one that may pass. */
export function refusalOf(error: Error): RedisRefusedError | undefined {
  if (/^(WRONGPASS|NOAUTH|NOPERM)/.test(error.message))
    return new RedisRefusedError('Redis rejects the user or password; correct REDIS_URL');
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (OF_CERTIFICATES.test(code))
    return new RedisRefusedError(
      `the certificate of Redis is not trusted (${code}); name its authority's file in NODE_EXTRA_CA_CERTS, or ` +
        'correct the certificate',
    );
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return new RedisRefusedError(
      'Redis does not speak TLS at this port; begin REDIS_URL with redis instead of rediss, or use its TLS port',
    );
  return undefined;
}

/** Why a server ends connections without a word: it speaks TLS, or it is in protected mode. */
export async function refusalOfSilent(server: Endpoint, isEncrypted: boolean): Promise<RedisRefusedError | undefined> {
  if (await deniesStrangers(server))
    return new RedisRefusedError(
      'Redis runs in protected mode and accepts connections from its own machine only; give it a password ' +
        '(requirepass, or a user) and put that into REDIS_URL',
    );
  if (isEncrypted || !(await asksForTls(server))) return undefined;
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
