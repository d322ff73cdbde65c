import { OTLP_LIMITS } from '@answer-evidence/otlp';
import { port, wholeNumber } from '../setting-forms.ts';

/** OTLP: its port of gRPC, its limits, and how long things wait. */
export const OTLP_SETTINGS = {
  SERVICE_OTLP_GRPC_PORT: {
    schema: port.optional(),
    purpose:
      'Port of OTLP over gRPC, which is off without it; exporters expect 4317. It uses TLS where the API port does; 0 ' +
      'takes a free one',
  },
  SERVICE_OTLP_BODY_BYTES_MAX: {
    schema: wholeNumber(1_024, 67_108_864).default(33_554_432),
    purpose: 'Largest body of an OTLP request in bytes, both as sent and decompressed',
  },
  SERVICE_OTLP_IN_HAND_BYTES_MAX: {
    schema: wholeNumber(1_048_576, 999_999_999).default(134_217_728),
    purpose:
      'Total bytes of the OTLP request bodies that one process handles at once, a quarter of it for one workspace; ' +
      'beyond it, requests get 503 and exporters retry',
  },
  SERVICE_OTLP_ITEMS_MAX: {
    schema: wholeNumber(1, 1_000_000).default(OTLP_LIMITS.itemsMax),
    purpose: 'Maximum number of spans or log records per OTLP request',
  },
  SERVICE_OTLP_ATTRIBUTES_MAX: {
    schema: wholeNumber(1, 100_000).default(OTLP_LIMITS.attributesMax),
    purpose:
      'Maximum number of attributes of an OTLP span, event, log record, resource or scope; only an item with ' +
      'more is refused',
  },
  SERVICE_OTLP_ATTRIBUTE_BYTES_MAX: {
    schema: wholeNumber(1_024, 16_777_216).default(OTLP_LIMITS.textMaxBytes),
    purpose: 'Maximum size of an OTLP key or name in bytes; only an item with a longer one is refused',
  },
  SERVICE_OTLP_DEPTH_MAX: {
    schema: wholeNumber(1, 64).default(OTLP_LIMITS.depthMax),
    purpose: 'Maximum nesting of an OTLP value; only an item with deeper nesting is refused',
  },
  SERVICE_OTLP_WAIT_SECONDS: {
    schema: wholeNumber(1, 604_800).default(900),
    purpose: 'How long an OTLP trace waits for the record with its key before it is listed as unattached',
  },
  SERVICE_OTLP_TRACE_WAIT_SECONDS: {
    schema: wholeNumber(1, 3_600).default(60),
    purpose: 'How long an OTLP trace whose root has not come must be quiet before it is decided without it',
  },
  SERVICE_OTLP_LEDGER_WAIT_MS: {
    schema: wholeNumber(0, 10_000).default(2_000),
    purpose:
      'How long an OTLP request waits in milliseconds until its records are in the ledger; what is not by then is ' +
      'recorded soon afterwards. `0`: always afterwards',
  },
} as const;
