import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const ITERATIONS = 4096;
const SALT_BYTES = 16;

function hmac(key: Uint8Array, text: string): Uint8Array {
  return createHmac('sha256', key).update(text).digest();
}

/**
 * What PostgreSQL stores of a password, by RFC 5803, so that the password itself is in no statement and no log. A
 * verifier opens no login: for a random password of 256 bits it may be shown.
 */
export function createScramVerifier(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest('base64');
  const serverKey = Buffer.from(hmac(salted, 'Server Key')).toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
