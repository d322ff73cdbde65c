import * as z from 'zod';
import { accessKeyId, bucketFields } from './anchor-types.ts';
import { shownName, timestamp, uuid } from './primitives.ts';
import { atMost } from './text-length.ts';

/** Most streams that a workspace has at a time. */
export const STREAMS_MAX = 10;
const SYSLOG_TLS_PORT = 6514;

const url = z.string().min(1, 'must not be empty').check(atMost(2000));
const pem = z.string().min(1, 'must not be empty').check(atMost(20_000));

/** Headers that frame a request or name its host are the service's to write. */
const RESERVED_HEADER =
  /^(accept-encoding|connection|content-encoding|content-length|content-type|expect|host|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|user-agent)$/i;
const headerName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,100}$/, 'must be at most 100 letters, digits and "-"')
  .refine((name) => !RESERVED_HEADER.test(name), 'must not be a header that the service writes itself');
const headerValue = z.string().regex(/^[\x21-\x7e]([\x20-\x7e]{0,3998}[\x21-\x7e])?$/, 'must be printable ASCII');

/** What lets the service in at a collector. */
export const streamHeader = z.strictObject({ name: headerName, value: headerValue });

/** A collector that takes a `POST` of events, as lines of JSON or as one array. */
const httpsDestination = z.strictObject({
  type: z.literal('https'),
  url,
  body: z.enum(['lines', 'array']).default('lines'),
  header: streamHeader.optional(),
});

/** A receiver of syslog over TLS (RFC 5424 messages in RFC 5425 frames). */
const syslogDestination = z.strictObject({
  type: z.literal('syslog'),
  host: z.string().regex(/^[A-Za-z0-9.:-]{1,253}$/, 'must be the name of a host, or an address without brackets'),
  port: z.int().min(1).max(65_535).default(SYSLOG_TLS_PORT),
  /** The certificates that the receiver's chain must end at, in PEM; without them, those that Node trusts. */
  ca_pem: pem.optional(),
  /** What the service shows of itself, where the receiver asks for it; both or none. */
  certificate_pem: pem.optional(),
  key_pem: pem.optional(),
});

/** A bucket of an S3 server: each object has some entries as lines of JSON. */
const bucketDestination = z.strictObject({
  type: z.literal('s3'),
  ...bucketFields,
  region: bucketFields.region.default('us-east-1'),
  prefix: bucketFields.prefix.default(''),
  access_key_id: accessKeyId,
  secret_access_key: z.string().min(1, 'must not be empty').check(atMost(500)),
  /** An object is written when so many seconds have passed since its first entry, or as soon as it is large. */
  every_seconds: z.int().min(1).max(900).default(60),
});

/** Where a stream goes. It is kept sealed, and never shown again. */
export const streamDestination = z.discriminatedUnion('type', [httpsDestination, syslogDestination, bucketDestination]);
export type StreamDestination = z.infer<typeof streamDestination>;

/** How events are written: as the Open Cybersecurity Schema Framework has them, or as plain JSON. */
export const streamFormat = z.enum(['ocsf', 'json']);
export type StreamFormat = z.infer<typeof streamFormat>;

const streamName = shownName(100);

/** Body of `POST /api/streams`. */
export const createStreamRequest = z.strictObject({
  name: streamName,
  destination: streamDestination,
  format: streamFormat.default('ocsf'),
  /** Whether events hold the reasons that people gave for reading texts, in their own words. */
  include_reasons: z.boolean().default(false),
  /** Its first entry: that of its own creation, or the first one of the log. */
  from: z.enum(['now', 'beginning']).default('now'),
});
export type CreateStreamRequest = z.infer<typeof createStreamRequest>;
/** The same as a caller sends it, who may leave out what has a default. */
export type NewStream = z.input<typeof createStreamRequest>;

/** Body of `PATCH /api/streams/{stream_id}`: at least one member. A destination is replaced as a whole. */
export const patchStreamRequest = z
  .strictObject({
    name: streamName.optional(),
    destination: streamDestination.optional(),
    format: streamFormat.optional(),
    include_reasons: z.boolean().optional(),
    state: z.enum(['active', 'disabled']).optional(),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), 'must change something')
  .meta({ minProperties: 1 });
export type PatchStreamRequest = z.infer<typeof patchStreamRequest>;
/** The same as a caller sends it. */
export type StreamChanges = z.input<typeof patchStreamRequest>;

/** Kind and place of a destination, as lists and the log show them: nothing that may be a secret. */
export const streamPlace = z.strictObject({
  type: z.enum(['https', 'syslog', 's3']),
  /** Scheme, host and port; of a bucket its name too. */
  place: z.string(),
});
export type StreamPlace = z.infer<typeof streamPlace>;

/** A stream as it is listed, with how far it is. */
export const stream = z.strictObject({
  id: uuid,
  name: z.string(),
  destination: streamPlace,
  format: streamFormat,
  include_reasons: z.boolean(),
  state: z.enum(['active', 'disabled']),
  /** Since when it is in this state. */
  state_since: timestamp,
  /** How many entries of the log, from its first one on, the destination has confirmed or the stream left out. */
  tree_size: z.int().nonnegative(),
  /** Entries that it has still to send, and of when the first of them is. */
  waiting: z.int().nonnegative(),
  waiting_since: timestamp.nullable(),
  /** When the destination last confirmed something. */
  confirmed_at: timestamp.nullable(),
  /** Since when nothing succeeds, what the last attempt failed by, and before when none is made again. */
  failing_since: timestamp.nullable(),
  last_error: z.string().nullable(),
  paused_until: timestamp.nullable(),
  created_at: timestamp,
  version: z.int().positive(),
});
export type Stream = z.infer<typeof stream>;

/** `GET /api/streams`. */
export const streamList = z.strictObject({ items: z.array(stream) });

/** What became of a test: whether the destination confirmed the event, and why not. */
export const streamTest = z.strictObject({ confirmed: z.boolean(), error: z.string().nullable() });
export type StreamTest = z.infer<typeof streamTest>;
