import { OTLP_LIMITS } from '@answer-evidence/otlp';
import type { OtlpDeps } from '@answer-evidence/stage-otlp';
import type { Config } from './config.ts';

/** An attribute with its key is rarely below 40 bytes of protobuf, or 80 of JSON. */
const BYTES_PER_VALUE = 32;

/** What of the settings is about OTLP. */
export function otlpOptionsOf(
  config: Config,
): Pick<
  OtlpDeps,
  | 'otlpLimits'
  | 'otlpBodyBytesMax'
  | 'otlpInHandBytesMax'
  | 'otlpWaitSeconds'
  | 'otlpTraceWaitSeconds'
  | 'otlpLedgerWaitMs'
> {
  return {
    otlpLimits: {
      ...OTLP_LIMITS,
      depthMax: config.SERVICE_OTLP_DEPTH_MAX,
      attributesMax: config.SERVICE_OTLP_ATTRIBUTES_MAX,
      textMaxBytes: config.SERVICE_OTLP_ATTRIBUTE_BYTES_MAX,
      itemsMax: config.SERVICE_OTLP_ITEMS_MAX,
      // Not a setting of its own: it keeps memory in proportion to bodies, and honest values take more bytes than this.
      valuesMax: Math.max(OTLP_LIMITS.valuesMax, Math.ceil(config.SERVICE_OTLP_BODY_BYTES_MAX / BYTES_PER_VALUE)),
    },
    otlpBodyBytesMax: config.SERVICE_OTLP_BODY_BYTES_MAX,
    otlpInHandBytesMax: config.SERVICE_OTLP_IN_HAND_BYTES_MAX,
    otlpWaitSeconds: config.SERVICE_OTLP_WAIT_SECONDS,
    otlpTraceWaitSeconds: config.SERVICE_OTLP_TRACE_WAIT_SECONDS,
    otlpLedgerWaitMs: config.SERVICE_OTLP_LEDGER_WAIT_MS,
  };
}
