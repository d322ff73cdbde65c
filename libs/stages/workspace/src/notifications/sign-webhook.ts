import { hmacSha256 } from '@answer-evidence/digest';
import { formatBase64, utf8 } from '@answer-evidence/encoding';

/** What a delivery is signed over. */
type SignedDelivery = { readonly id: string; readonly seconds: number; readonly body: string };

/** The secret as a receiver gets it (Standard Webhooks, symmetric). */
export function formatSecret(key: Uint8Array): string {
  return `whsec_${formatBase64(key)}`;
}

/** The three headers of Standard Webhooks, with one signature by each key. */
export function signWebhook(keys: readonly Uint8Array[], { id, seconds, body }: SignedDelivery) {
  const message = utf8(`${id}.${seconds}.${body}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': keys.map((key) => `v1,${formatBase64(hmacSha256(key, message))}`).join(' '),
  };
}
