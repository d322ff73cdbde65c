import { PackageError } from './cryptoki.ts';
import type { FailureKind } from './messages.ts';

/** A token was found to be other than it has to be, in words that say what to change. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The session, the device or the library is not what it was: another process may find it well. */
const LOST = new Set([
  'CKR_CRYPTOKI_NOT_INITIALIZED',
  'CKR_DEVICE_ERROR',
  'CKR_DEVICE_REMOVED',
  'CKR_FUNCTION_FAILED',
  'CKR_GENERAL_ERROR',
  'CKR_HOST_MEMORY',
  'CKR_KEY_HANDLE_INVALID',
  'CKR_OBJECT_HANDLE_INVALID',
  'CKR_OPERATION_ACTIVE',
  'CKR_SESSION_CLOSED',
  'CKR_SESSION_HANDLE_INVALID',
  'CKR_TOKEN_NOT_PRESENT',
  'CKR_USER_NOT_LOGGED_IN',
]);

const PIN: Readonly<Record<string, string>> = {
  CKR_PIN_EXPIRED: 'its PIN has expired: set a new one with the tools of its vendor',
  CKR_PIN_INCORRECT: 'the PIN is wrong: correct PKCS11_PIN or PKCS11_PIN_FILE. It is not tried again before a restart',
  CKR_PIN_INVALID: 'the PIN has characters that the token does not take: correct PKCS11_PIN or PKCS11_PIN_FILE',
  CKR_PIN_LEN_RANGE: 'the PIN is too short or too long: correct PKCS11_PIN or PKCS11_PIN_FILE',
  CKR_PIN_LOCKED: 'its PIN is locked after wrong ones: the security officer must set a new one',
  CKR_USER_PIN_NOT_INITIALIZED: 'it has no PIN of a user: the security officer must set one',
};

const REFUSED: Readonly<Record<string, string>> = {
  CKR_DEVICE_MEMORY: 'it has no room for another key: remove what is not needed, or use another token',
  CKR_KEY_FUNCTION_NOT_PERMITTED:
    'the key may not be used for that: see its attributes with pkcs11-tool --list-objects',
  CKR_MECHANISM_INVALID:
    'it lacks a mechanism: keys of logs need CKM_EC_EDWARDS_KEY_PAIR_GEN and CKM_EDDSA, the master key CKM_AES_GCM',
  CKR_SESSION_READ_ONLY: 'it gives no session that may write: see the rights of the user',
  CKR_TOKEN_WRITE_PROTECTED: 'it is write-protected: make keys while it is not',
};

/** What went wrong, as the program of a token tells it. */
export function describeFailure(error: unknown): { readonly kind: FailureKind; readonly text: string } {
  if (error instanceof TokenError) return { kind: error.kind, text: error.message };
  if (error instanceof PackageError)
    return {
      kind: 'refused',
      text:
        'the package pkcs11js is not installed or not compiled: run tools/pkcs11/install.sh FOLDER of ' +
        'the repository, which needs g++, and set PKCS11_PACKAGE to the folder',
    };
  const message = error instanceof Error ? error.message : '';
  const code = /CKR_[A-Z0-9_]+/.exec(message)?.[0] ?? '';
  const pin = PIN[code];
  if (pin !== undefined) return { kind: 'pin', text: pin };
  if (LOST.has(code)) return { kind: 'lost', text: `it does not respond as it should (${code})` };
  return { kind: 'refused', text: REFUSED[code] ?? `it refuses (${code === '' ? 'unknown reason' : code})` };
}
