import { isThisMachine } from '@answer-evidence/ports';
import type { Config } from '../../ground/config.ts';

/** Where traces are sent, or why they are not although a setting asks for them. */
type TracesPlan =
  | { readonly url: string; readonly headers?: () => Readonly<Record<string, string>> }
  | { readonly refused: string };

const DEFAULT_ENDPOINT = 'http://localhost:4318';
const PROTOCOL = 'http/protobuf';
/** Where this product takes OTLP in, on whatever host it is. */
const OWN_PATH = /\/api\/answer-audit-logs\/otel(\/|$)/;

/**
 * What the settings say about traces of our own; undefined where they ask for none. The variables of OpenTelemetry
 * often belong to a whole machine, so those that cannot be obeyed are no reason not to start.
 */
export function planTraces(config: Config): TracesPlan | undefined {
  if (config.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined;
  const source = findSource(config);
  if (source === undefined) return undefined;
  const { name, url } = source;
  if (leadsHere(new URL(url), config))
    return {
      refused:
        `${name} leads to this service itself, so traces are off; let it lead to a collector, or set ` +
        'OTEL_TRACES_EXPORTER=none',
    };
  const protocol = config.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? config.OTEL_EXPORTER_OTLP_PROTOCOL ?? PROTOCOL;
  if (name !== 'SERVICE_TRACES_URL' && protocol !== PROTOCOL)
    return {
      refused:
        `traces are off, because the service sends them as ${PROTOCOL} only; set ` +
        `OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=${PROTOCOL} with an endpoint for it, or OTEL_TRACES_EXPORTER=none`,
    };
  const { OTEL_EXPORTER_OTLP_HEADERS: headers } = config;
  if (headers === undefined) return { url };
  return { url, headers: () => parseHeaders(config.OTEL_EXPORTER_OTLP_HEADERS ?? headers) };
}

function findSource(config: Config): { readonly name: string; readonly url: string } | undefined {
  if (config.SERVICE_TRACES_URL !== undefined) return { name: 'SERVICE_TRACES_URL', url: config.SERVICE_TRACES_URL };
  const exporter = config.OTEL_TRACES_EXPORTER ?? 'unset';
  if (exporter !== 'unset' && !exporter.split(',').includes('otlp')) return undefined;
  if (config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined)
    return { name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', url: config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT };
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined)
    return { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', url: pathOfTraces(config.OTEL_EXPORTER_OTLP_ENDPOINT) };
  return exporter === 'unset' ? undefined : { name: 'OTEL_TRACES_EXPORTER', url: pathOfTraces(DEFAULT_ENDPOINT) };
}

function pathOfTraces(endpoint: string): string {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url.href;
}

/** Each export into ourselves would be a request, of which the next export tells. */
function leadsHere(url: URL, config: Config): boolean {
  if (OWN_PATH.test(url.pathname)) return true;
  const port = Number(url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port);
  const ports = [config.SERVICE_HTTP_PORT, config.SERVICE_METRICS_PORT, config.SERVICE_OTLP_GRPC_PORT];
  const isHost = isThisMachine(url.hostname) || url.hostname === config.SERVICE_HTTP_HOST;
  if (isHost && ports.includes(port)) return true;
  // With {workspace} in it the host may be any below a domain, a collector's too.
  return URL.canParse(config.SERVICE_BASE_URL ?? '') && url.host === new URL(config.SERVICE_BASE_URL ?? '').host;
}

/** `name=value,name=value` with percent codes, as the variable has headers. What has another form is left out. */
function parseHeaders(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text.split(',').flatMap((part) => {
      const [, name, value] = /^([\w!#$%&'*+.^`|~-]+)[ \t]*=(.*)$/s.exec(part.trim()) ?? [];
      if (name === undefined || value === undefined || /%(?![0-9A-Fa-f]{2})/.test(value)) return [];
      return [[name, decodeURIComponent(value.trim())] as const];
    }),
  );
}
