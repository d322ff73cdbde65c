import { createSecretForm } from './secret-form.ts';

const FORM = createSecretForm('ael_', 'the token of a link', 2);

/** What opens a link to a record: which link it is, and the workspace's MAC over what its entry says. */
export type ProofToken = { readonly workspaceId: string; readonly linkId: string; readonly mac: Uint8Array };

/** `ael_` and base64url of two UUIDs and a MAC of 32 bytes. Throws `EncodingError` for anything else. */
export function formatProofToken({ workspaceId, linkId, mac }: ProofToken): string {
  return FORM.format([workspaceId, linkId], mac);
}

/** Reads exactly what `formatProofToken` writes; throws `EncodingError`, whose message never quotes the token. */
export function parseProofToken(text: string): ProofToken {
  const { ids, secret: mac } = FORM.parse(text);
  const [workspaceId = '', linkId = ''] = ids;
  return { workspaceId, linkId, mac };
}
