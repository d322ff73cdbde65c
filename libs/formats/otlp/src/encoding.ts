/** The two encodings of OTLP over HTTP: `application/x-protobuf` and `application/json`. A reply has the one of its request. */
export type OtlpEncoding = 'protobuf' | 'json';
