import type { OpenedProof } from '@answer-evidence/contracts';
import type { ProofWords } from './proof-words.ts';

/** What a link leads to, or which sentence says why it leads nowhere. */
export type Opened =
  | { readonly kind: 'proof'; readonly proof: OpenedProof }
  | { readonly kind: 'ended'; readonly why: keyof ProofWords };

const ENDED: ReadonlyMap<string, keyof ProofWords> = new Map([
  ['not_found', 'unknown'],
  ['schema_violation', 'unknown'],
  ['proof_link_expired', 'expired'],
  ['proof_link_revoked', 'revoked'],
  ['gone_redacted', 'redacted'],
  ['rate_limited', 'busy'],
]);

/** Where the API is: the host may serve it below a path. */
const API = /\/proof\/.*$/s;

/** Asks the host that the page came from. The token goes in a body, without a cookie, and is in no address. */
export async function openProof(token: string): Promise<Opened> {
  if (token === '') return { kind: 'ended', why: 'incomplete' };
  try {
    const reply = await fetch(`${location.pathname.replace(API, '')}/api/proof-links/open`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
    });
    const body = (await reply.json()) as { readonly code?: unknown; readonly format?: unknown };
    if (!reply.ok) return { kind: 'ended', why: ENDED.get(String(body.code)) ?? 'failed' };
    if (body.format !== 'answer-evidence-proof/v1') return { kind: 'ended', why: 'unreadable' };
    return { kind: 'proof', proof: body as OpenedProof };
  } catch {
    return { kind: 'ended', why: 'failed' };
  }
}
