import { createHash } from 'node:crypto';
import { request } from 'node:http';

/** A service, and as whom to speak to it. */
export type EvidencePlace = { readonly baseUrl: string; readonly token: string };

/** A reply with its parsed body. */
type EvidenceReply = { readonly status: number; readonly headers: Headers; readonly body: any };

/** Uploads a file as a form, as a browser would. */
export async function uploadFile(
  { baseUrl, token }: EvidencePlace,
  content: Uint8Array,
  options: { readonly key?: string; readonly metadata?: object } = {},
): Promise<EvidenceReply> {
  const form = new FormData();
  const metadata = JSON.stringify({ application_key: 'support-bot', ...options.metadata });
  form.set('metadata', new Blob([metadata], { type: 'application/json' }));
  form.set('file', new File([content as Uint8Array<ArrayBuffer>], 'evidence.bin'));
  const response = await fetch(`${baseUrl}/api/evidence-assets`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      ...(options.key === undefined ? {} : { 'Idempotency-Key': options.key }),
    },
    body: form,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Downloads an original, or a range of it, to its end. Rejects when the connection is cut. */
export async function downloadAsset(
  { baseUrl, token }: EvidencePlace,
  id: string,
  range?: { readonly offset: number; readonly length: number },
): Promise<{ readonly status: number; readonly headers: Headers; readonly content: Buffer }> {
  const response = await fetch(`${baseUrl}/api/evidence-assets/${id}/download`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(range === undefined ? {} : { range }),
  });
  return { status: response.status, headers: response.headers, content: Buffer.from(await response.arrayBuffer()) };
}

/** All assets of the workspace. */
export async function listAssets({ baseUrl, token }: EvidencePlace): Promise<readonly any[]> {
  const response = await fetch(`${baseUrl}/api/evidence-assets?size=200`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { items: readonly any[] }).items;
}

/** Begins an upload of that size, sends its first part, and leaves it so. */
export async function beginUpload(
  { baseUrl, token }: EvidencePlace,
  sizeBytes: number,
  begun: Uint8Array,
): Promise<() => void> {
  const head =
    '--limit\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"application_key":"support-bot"}\r\n';
  const part = '--limit\r\nContent-Disposition: form-data; name="file"; filename="half.bin"\r\n\r\n';
  const tail = '\r\n--limit--\r\n';
  const sent = request(`${baseUrl}/api/evidence-assets`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'multipart/form-data; boundary=limit',
      'Content-Length': head.length + part.length + sizeBytes + tail.length,
    },
  });
  // Anyone who kills the service is told of it here, too.
  sent.on('error', () => undefined);
  sent.write(head + part);
  await new Promise<void>((resolve) => sent.write(begun, () => resolve()));
  return () => sent.destroy();
}

/** `sha256:` and the digest. */
export function hashOf(content: Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
