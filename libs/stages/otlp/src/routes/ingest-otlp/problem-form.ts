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

/** OTLP 1.11, "Failures": the body of an error is a `google.rpc.Status` in the encoding of the request. */
export const STATUS_FORM: ProblemForm = {
  name: 'OtlpStatus',
  schema: otlpStatus,
  contentTypes: Object.values(MEDIA_TYPES),
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
