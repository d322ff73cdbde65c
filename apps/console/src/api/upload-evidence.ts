import { readReply, UnreachableError } from '@answer-evidence/client';
import { toCall } from '@answer-evidence/client/calls';
import { type CreatedEvidenceAsset, createdEvidenceAsset, type EvidenceMetadata } from '@answer-evidence/contracts';
import { createEvidenceAsset, uploadRecordEvidence } from '@answer-evidence/contracts/operations';
import { utf8 } from '@answer-evidence/encoding';
import { CONSOLE_PATH } from './place.ts';

/** A file on its way: where it goes, and who is told how far it is. */
export type Upload = {
  readonly file: File;
  readonly metadata: EvidenceMetadata;
  /** The record that it is put beside; left out: none. */
  readonly recordId?: string;
  /** The same for every attempt, so that a file whose response was lost is stored once. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  /** The share that was sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
};

/**
 * Sends a file as a form. The client streams its requests, which browsers do not do over HTTP/1.1, and `fetch` does not
 * say how far a request is. Throws `ApiError` with the service's words; an `AbortError` after `signal`.
 */
export async function uploadEvidence(upload: Upload, csrfToken: string): Promise<CreatedEvidenceAsset> {
  return readReply(await sendForm(upload, csrfToken), createdEvidenceAsset);
}

function sendForm(upload: Upload, csrfToken: string): Promise<{ readonly status: number; readonly bytes: Uint8Array }> {
  const { file, metadata, recordId, idempotencyKey, signal, onProgress } = upload;
  const { path } =
    recordId === undefined
      ? toCall(createEvidenceAsset, {})
      : toCall(uploadRecordEvidence, { params: { answer_log_id: recordId } });
  const form = new FormData();
  form.append('metadata', new Blob([JSON.stringify(metadata)], { type: 'application/json' }));
  form.append('file', file);
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    request.addEventListener('load', () => resolve({ status: request.status, bytes: utf8(request.responseText) }));
    request.addEventListener('error', () =>
      reject(new UnreachableError(location.origin, 'connection failed', 1, new Error('the upload failed'))),
    );
    request.addEventListener('abort', () => reject(new DOMException('the upload was stopped', 'AbortError')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.open('POST', CONSOLE_PATH + path);
    request.setRequestHeader('x-csrf-token', csrfToken);
    request.setRequestHeader('idempotency-key', idempotencyKey);
    request.send(form);
  });
}
