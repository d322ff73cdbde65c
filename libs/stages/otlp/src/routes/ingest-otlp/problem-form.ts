import { otlpStatus } from '@answer-evidence/contracts';
import { formatStatus, type OtlpEncoding, rpcCodeOf } from '@answer-evidence/otlp';
import type { ProblemForm } from '@answer-evidence/routes';

/** Media types of the encodings. */
export const MEDIA_TYPES: Readonly<Record<OtlpEncoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

/** The encoding that a request has by its `Content-Type`; JSON where it says neither. */
export function encodingOf(contentType: string | undefined): OtlpEncoding {
  const [essence = ''] = (contentType ?? '').toLowerCase().split(';');
  return essence.trim() === MEDIA_TYPES.protobuf ? 'protobuf' : 'json';
}

/** How long an exporter waits for a person to restore what is damaged before it asks again. */
const RESTORE_SECONDS = 60;

/** OTLP 1.11, "Failures": the body of an error is a `google.rpc.Status` in the encoding of the request. */
export const STATUS_FORM: ProblemForm = {
  name: 'OtlpStatus',
  schema: otlpStatus,
  contentTypes: Object.values(MEDIA_TYPES),
  // Exporters drop a batch on 500, and keep it on 503: it is not what is damaged, and waits with them for the restore.
  statuses: { content_damaged: { status: 503, retryAfterSeconds: RESTORE_SECONDS } },
  format({ status, code, detail, errors }, header) {
    const encoding = encodingOf(header('content-type'));
    const message = `${detail} (${code})`;
    const violations = errors.map(({ pointer, detail: description }) => ({ field: pointer, description }));
    return {
      contentType: MEDIA_TYPES[encoding],
      body: formatStatus({ code: rpcCodeOf(status), message, violations }, encoding),
    };
  },
};
