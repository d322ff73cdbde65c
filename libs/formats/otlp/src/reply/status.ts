import { concatBytes, utf8 } from '@answer-evidence/encoding';
import type { OtlpEncoding } from '../encoding.ts';
import { trimText } from './trim-text.ts';
import { bytesField, intField, textField } from './wire-writer.ts';

const BAD_REQUEST_TYPE = 'type.googleapis.com/google.rpc.BadRequest';
const RETRY_INFO_TYPE = 'type.googleapis.com/google.rpc.RetryInfo';
const TEXT_MAX_BYTES = 16 * 1024;

/** What is wrong with one field of the request. */
export type FieldViolation = { readonly field: string; readonly description: string };

/** A `google.rpc.Status`; `violations` become its detail `google.rpc.BadRequest`, the delay its `RetryInfo`. */
export type RpcStatus = {
  readonly code: number;
  readonly message: string;
  readonly violations?: readonly FieldViolation[];
  readonly retryAfterSeconds?: number | undefined;
};

type WrittenStatus = RpcStatus & { readonly violations: readonly FieldViolation[] };

/** `google.rpc.Code` by the HTTP status that the error is answered with. */
const CODES: Readonly<Record<number, number>> = {
  400: 3, // INVALID_ARGUMENT
  401: 16, // UNAUTHENTICATED
  403: 7, // PERMISSION_DENIED
  404: 5, // NOT_FOUND
  405: 12, // UNIMPLEMENTED
  413: 8, // RESOURCE_EXHAUSTED
  415: 3,
  429: 8,
  500: 13, // INTERNAL
  503: 14, // UNAVAILABLE
};
const UNKNOWN_CODE = 2;

/** The `google.rpc.Code` that says what this HTTP status says. */
export function rpcCodeOf(httpStatus: number): number {
  return CODES[httpStatus] ?? UNKNOWN_CODE;
}

/** The body of a refusal, in the encoding of the request (OTLP 1.11, "Failures"). */
export function formatStatus(status: RpcStatus, encoding: OtlpEncoding): Uint8Array {
  const message = shorten(status.message);
  const violations = (status.violations ?? []).map(({ field, description }) => ({
    field: shorten(field),
    description: shorten(description),
  }));
  const shortened = { ...status, message, violations };
  return encoding === 'protobuf' ? writeProtobuf(shortened) : writeJson(shortened);
}

function writeProtobuf({ code, message, violations, retryAfterSeconds }: WrittenStatus): Uint8Array {
  const fields = [intField(1, code), textField(2, message)];
  if (violations.length > 0) {
    const detail = violations.map(({ field, description }) =>
      bytesField(1, concatBytes(textField(1, field), textField(2, description))),
    );
    fields.push(anyField(BAD_REQUEST_TYPE, concatBytes(...detail)));
  }
  if (retryAfterSeconds !== undefined)
    fields.push(anyField(RETRY_INFO_TYPE, bytesField(1, intField(1, retryAfterSeconds))));
  return concatBytes(...fields);
}

/** A detail: `google.protobuf.Any`, the type's address and its message. */
function anyField(type: string, message: Uint8Array): Uint8Array {
  return bytesField(3, concatBytes(textField(1, type), bytesField(2, message)));
}

function writeJson({ code, message, violations, retryAfterSeconds }: WrittenStatus): Uint8Array {
  const details = [
    ...(violations.length > 0 ? [{ '@type': BAD_REQUEST_TYPE, fieldViolations: violations }] : []),
    ...(retryAfterSeconds === undefined ? [] : [{ '@type': RETRY_INFO_TYPE, retryDelay: `${retryAfterSeconds}s` }]),
  ];
  return utf8(JSON.stringify({ code, message, ...(details.length > 0 ? { details } : {}) }));
}

function shorten(text: string): string {
  return trimText(text.toWellFormed(), TEXT_MAX_BYTES);
}
