/** Stands in the template where each request puts a key of its own, of the same length. */
export const KEY_PLACEHOLDER = '@'.repeat(36);
/** The application that the load writes for. */
export const APPLICATION_KEY = 'support-bot';

const BODY_BYTES = 1024;

/** The body of a create of exactly 1 KB: both texts, one semantic and one source ref, room for the idempotency key. */
export function createBodyTemplate(): string {
  const bare = formatBody('');
  return formatBody('The answer, as the customer saw it. '.repeat(40).slice(0, BODY_BYTES - bare.length));
}

function formatBody(answer: string): string {
  return JSON.stringify({
    application_key: APPLICATION_KEY,
    idempotency_key: KEY_PLACEHOLDER,
    question: { text: 'How long may I keep the device before I have to send it back?' },
    answer: { text: answer },
    semantic_refs: [{ kind: 'intent', name: 'return-period', score: 0.93 }],
    source_refs: [{ source_ref_id: 'kb-17', uri: 'https://kb.example/returns', version: '2026-05-04' }],
    external_trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    mode: 'live',
  });
}

/** A key as long as the placeholder. `prefix` must differ between runs, `number` within one. */
export function formatKey(prefix: string, number: number): string {
  return `${prefix}-${String(number).padStart(KEY_PLACEHOLDER.length - prefix.length - 1, '0')}`;
}
