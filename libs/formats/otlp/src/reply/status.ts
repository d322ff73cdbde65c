import { concatBytes, utf8 } from '@answer-evidence/encoding';
import type { OtlpEncoding } from '../encoding.ts';
import { trimText } from './trim-text.ts';
import { bytesField, intField, textField } from './wire-writer.ts';

const BAD_REQUEST_TYPE = 'type.googleapis.com/google.rpc.BadRequest';
const TEXT_MAX_BYTES = 16 * 1024;

/** What is wrong with one field of the request. */
export type FieldViolation = { readonly field: string; readonly description: string };

/** A `google.rpc.Status`; `violations` become its detail `google.rpc.BadRequest`. */
export type RpcStatus = {
  readonly code: number;
  readonly message: string;
  readonly violations?: readonly FieldViolation[];
};

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
  return encoding === 'protobuf'
    ? writeProtobuf(status.code, message, violations)
    : writeJson(status.code, message, violations);
}

function writeProtobuf(code: number, message: string, violations: readonly FieldViolation[]): Uint8Array {
  const fields = [intField(1, code), textField(2, message)];
  if (violations.length > 0) {
    const detail = violations.map(({ field, description }) =>
      bytesField(1, concatBytes(textField(1, field), textField(2, description))),
    );
    // `google.protobuf.Any`: the type's address, and its message.
    fields.push(bytesField(3, concatBytes(textField(1, BAD_REQUEST_TYPE), bytesField(2, concatBytes(...detail)))));
  }
  return concatBytes(...fields);
}

function writeJson(code: number, message: string, violations: readonly FieldViolation[]): Uint8Array {
  const details =
    violations.length > 0 ? { details: [{ '@type': BAD_REQUEST_TYPE, fieldViolations: violations }] } : {};
  return utf8(JSON.stringify({ code, message, ...details }));
}

function shorten(text: string): string {
  return trimText(text.toWellFormed(), TEXT_MAX_BYTES);
}
