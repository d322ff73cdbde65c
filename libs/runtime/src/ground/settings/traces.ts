import * as z from 'zod';
import { url, wholeNumber } from '../setting-forms.ts';

/** Where traces of the service's own work go. */
export const TRACES_SETTINGS = {
  SERVICE_TRACES_URL: {
    schema: url('http:', 'https:').optional(),
    purpose:
      'Where the service sends traces of its own work: the address of a collector for OTLP over HTTP with its path, ' +
      'such as http://collector:4318/v1/traces. They contain no texts, parameters, tokens or addresses. ' +
      'OTEL_EXPORTER_OTLP_CERTIFICATE names the file of an authority. Default: what the variables of OpenTelemetry ' +
      'below say',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: url('http:', 'https:').optional(),
    purpose:
      'The same in the form of OpenTelemetry, without v1/traces at its end, which is added. One that leads to this ' +
      'service itself is not used',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    schema: url('http:', 'https:').optional(),
    purpose: 'The same for traces alone, used as it is',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: z.string().min(1).meta({ description: '`NAME=VALUE,…` with percent codes' }).optional(),
    purpose: 'Headers of the requests that send traces, such as the token of a collector',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    schema: z.string().min(1).optional(),
    purpose:
      'With the two endpoints above: traces are sent if it is http/protobuf or unset, and with no other protocol',
  },
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: {
    schema: z.string().min(1).optional(),
    purpose: 'The same for traces alone',
  },
  OTEL_TRACES_EXPORTER: {
    schema: z.string().min(1).optional(),
    purpose: 'none sends no traces. otlp sends them, to http://localhost:4318 where no endpoint is set',
  },
  OTEL_SDK_DISABLED: { schema: z.string().min(1).optional(), purpose: 'true sends no traces' },
  OTEL_SERVICE_NAME: {
    schema: z.string().max(200, 'must have at most 200 characters').optional(),
    purpose: 'service.name of the traces. Default: answer-evidence- and the role of the process',
  },
  SERVICE_TRACES_PERCENT: {
    schema: wholeNumber(1, 100).default(100),
    purpose: 'How many of a hundred traces are made and sent',
  },
} as const;
