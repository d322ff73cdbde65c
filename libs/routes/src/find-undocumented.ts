import type { z } from 'zod';
import { problem } from '@answer-evidence/contracts';
import type { OperationReply } from '@answer-evidence/contracts/operations';
import { parseJsonText } from '@answer-evidence/encoding';
import { contentTypesOf, edgeStatuses, headersOf, REPLY_HEADERS } from './documented-replies.ts';
import type { Route } from './route.ts';

/** A reply of a route as it is about to be sent. */
type CheckedReply = {
  readonly status: number;
  readonly contentType: string;
  readonly body?: unknown;
  /** Content that is not looked at. */
  readonly stream?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
};

/** Headers of HTTP itself, of which a description says nothing. */
const TRANSPORT_HEADERS = [
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'vary',
  'x-content-type-options',
];

/** What a reply has that its description lacks: status, media type, header or body member. Names, never values. */
export function findUndocumented(route: Route, reply: CheckedReply): string | undefined {
  const { status } = reply;
  const documented = route.responses[status] ?? (edgeStatuses(route).includes(status) ? {} : undefined);
  const fault =
    documented === undefined
      ? 'the status is not documented'
      : (findHeaderFault(route, reply) ?? findContentFault(route, documented, reply));
  return fault === undefined ? undefined : `${route.operationId} ${status}: ${fault}`;
}

type Documented = Partial<OperationReply>;

function findHeaderFault(route: Route, { status, headers = {} }: CheckedReply): string | undefined {
  const known = new Set(
    [REPLY_HEADERS, headersOf(route, status)]
      .flatMap((group) => Object.keys(group).map((name) => name.toLowerCase()))
      .concat(TRANSPORT_HEADERS),
  );
  const surplus = Object.keys(headers).find((name) => headers[name] !== undefined && !known.has(name.toLowerCase()));
  return surplus === undefined ? undefined : `the header ${surplus} is not documented`;
}

function findContentFault(route: Route, documented: Documented, reply: CheckedReply): string | undefined {
  const { status, body, contentType, stream } = reply;
  const types = contentTypesOf(route, { description: '', ...documented }, status);
  if (body === undefined && stream === undefined) return types.length === 0 ? undefined : 'it has no content';
  const [mediaType = ''] = contentType.split(';');
  if (!types.includes(mediaType) && !types.includes('*/*')) return `the media type ${mediaType} is not documented`;
  const schema = mediaType === 'application/problem+json' ? problem : documented.schema;
  const isShaped = schema !== undefined && stream === undefined && mediaType.endsWith('json');
  return isShaped ? findShapeFault(schema, body) : undefined;
}

function findShapeFault(schema: z.ZodType, body: unknown): string | undefined {
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
  const value: unknown = typeof text === 'string' ? parseJsonText(text) : text;
  const parsed = schema.safeParse(value);
  if (parsed.success) return undefined;
  return parsed.error.issues
    .map(({ code, path }) => `${code} at /${path.map(String).join('/')}`)
    .slice(0, 5)
    .join('; ');
}
