import { createSecretForm } from './secret-form.ts';

const FORM = createSecretForm('aep_', 'a password secret', 2);

/** What the secret of a password link says: whose it is, and the 32 bytes whose SHA-256 is stored. */
export type PasswordSecret = {
  readonly workspaceId: string;
  readonly memberId: string;
  readonly secret: Uint8Array;
};

/** `aep_` and base64url of two UUIDs and a secret of 32 bytes. Throws `EncodingError` for anything else. */
export function formatPasswordSecret({ workspaceId, memberId, secret }: PasswordSecret): string {
  return FORM.format([workspaceId, memberId], secret);
}

/** Reads exactly what `formatPasswordSecret` writes; throws `EncodingError`, whose message never quotes the secret. */
export function parsePasswordSecret(text: string): PasswordSecret {
  const { ids, secret } = FORM.parse(text);
  const [workspaceId = '', memberId = ''] = ids;
  return { workspaceId, memberId, secret };
}
