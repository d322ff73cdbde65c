/** The two encodings of OTLP over HTTP: `application/x-protobuf` and `application/json`. A reply uses its request's. */
export type OtlpEncoding = 'protobuf' | 'json';
