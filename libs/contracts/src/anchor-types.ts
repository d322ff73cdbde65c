import * as z from 'zod';
import { OPEN_VALUES } from './primitives.ts';
import { atMost } from './text-length.ts';

/** What is known of a type of anchor. */
type AnchorFacts = {
  /** Whether it is with an outside party; a file of the service's own machine is not. */
  readonly isExternal: boolean;
  /**
   * What confirms a checkpoint there: a `token` that states a time and leads to pinned certificates, or an `entry` of a
   * public log under pinned keys, which anyone verifies; or a `copy`, which only the service can read back.
   */
  readonly artefact: 'token' | 'entry' | 'copy';
  /** The member of its configuration that is stored sealed, and is never shown. */
  readonly secret: 'secret_access_key' | null;
  /** Its configuration as everybody may see it: without its secret. */
  readonly config: z.ZodObject;
  /** As a manager sends it. A secret that is left out is the one sent before for this id. */
  readonly request: z.ZodObject;
};

const anchorId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be 1 to 40 characters of a-z, 0-9 and "-"');
const url = z.string().min(1, 'must not be empty').check(atMost(2000));
const pem = z.string().min(1, 'must not be empty').check(atMost(20_000));

const rfc3161 = {
  id: anchorId,
  type: z.literal('rfc3161'),
  /** Where time-stamp queries (RFC 3161 section 3.4) are posted. */
  url,
  /** The certificates that a token's chain must end at, one or more in PEM. */
  certificate_pem: pem,
  required: z.boolean(),
};
/** Who asks an S3 server. */
export const accessKeyId = z.string().min(1).check(atMost(200));
/** A bucket of an S3 server. */
export const bucketFields = {
  /** The S3 endpoint, without the bucket. */
  url,
  bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'),
  region: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be the name of a region'),
  prefix: z.string().regex(/^[A-Za-z0-9._/-]{0,200}$/, 'must be at most 200 letters, digits and ". _ / -"'),
};
const objectLock = {
  id: anchorId,
  type: z.literal('object-lock'),
  ...bucketFields,
  retention_days: z.int().min(1).max(36_500),
  access_key_id: accessKeyId,
  required: z.boolean(),
};
const rekor = {
  id: anchorId,
  type: z.literal('rekor'),
  /** The log's address, below which it has `/api/v2/log/entries`. */
  url,
  /** The logs whose entries count: vkeys of Ed25519, one per line, or the text of a `trusted_root.json` of Sigstore. */
  log_keys: z.string().min(1, 'must not be empty').check(atMost(65_536)),
  required: z.boolean(),
};
const file = { id: anchorId, type: z.literal('file') };

const secretAccessKey = z.string().min(1).check(atMost(500));

/** The types of anchors. Code asks this table what a type is like, and no type by its name. */
export const ANCHOR_TYPES = {
  rfc3161: {
    isExternal: true,
    artefact: 'token',
    secret: null,
    config: z.strictObject(rfc3161),
    request: z.strictObject({ ...rfc3161, required: rfc3161.required.default(false) }),
  },
  'object-lock': {
    isExternal: true,
    artefact: 'copy',
    secret: 'secret_access_key',
    config: z.strictObject(objectLock),
    request: z.strictObject({
      ...objectLock,
      region: objectLock.region.default('us-east-1'),
      prefix: objectLock.prefix.default(''),
      required: objectLock.required.default(false),
      secret_access_key: secretAccessKey.optional(),
    }),
  },
  rekor: {
    isExternal: true,
    artefact: 'entry',
    secret: null,
    config: z.strictObject(rekor),
    request: z.strictObject({ ...rekor, required: rekor.required.default(false) }),
  },
  file: {
    isExternal: false,
    artefact: 'copy',
    secret: null,
    config: z.strictObject(file),
    request: z.strictObject(file),
  },
} as const satisfies Readonly<Record<string, AnchorFacts>>;

export type AnchorType = keyof typeof ANCHOR_TYPES;

const names = Object.keys(ANCHOR_TYPES) as [AnchorType, ...AnchorType[]];

/** The name of a type of anchors. */
export const anchorType = z.enum(names);

/** The same where the service lists anchors: a newer one may have further types. */
export const listedAnchorType = z.enum(names).meta(OPEN_VALUES);

type Facts = (typeof ANCHOR_TYPES)[AnchorType];
type Forms<Form extends 'config' | 'request'> = [Facts[Form], ...Facts[Form][]];

/** The configuration of every type, as everybody may see it or as a manager sends it. */
function formsOf<Form extends 'config' | 'request'>(form: Form): Forms<Form> {
  return names.map((name) => ANCHOR_TYPES[name][form]) as Forms<Form>;
}

/** An anchor as everybody may see it: without its secret. */
export const anchorConfig = z.discriminatedUnion('type', formsOf('config'));
export type AnchorConfig = z.infer<typeof anchorConfig>;

/** An anchor as a manager sends it. A secret that is left out is the one sent before for this id. */
export const anchorRequest = z.discriminatedUnion('type', formsOf('request'));
export type AnchorRequest = z.infer<typeof anchorRequest>;

/** The certificates that tokens of an anchor lead to; null if its type has none. */
export function certificateOf(anchor: AnchorConfig | AnchorRequest): string | null {
  return 'certificate_pem' in anchor ? anchor.certificate_pem : null;
}

/** The keys of logs that entries of an anchor are under; null if its type has none. */
export function logKeysOf(anchor: AnchorConfig | AnchorRequest): string | null {
  return 'log_keys' in anchor ? anchor.log_keys : null;
}

/** The secret that was sent with an anchor; undefined if it was left out, or the type has none. */
export function secretOf(anchor: AnchorRequest): string | undefined {
  return 'secret_access_key' in anchor ? anchor.secret_access_key : undefined;
}

/** The anchor as everybody may see it. */
export function withoutSecret(anchor: AnchorRequest): AnchorConfig {
  if (!('secret_access_key' in anchor)) return anchor;
  const { secret_access_key: _secret, ...config } = anchor;
  return config;
}

/** The types whose artefact is a token. */
export const TOKEN_ANCHORS: readonly AnchorType[] = names.filter((name) => ANCHOR_TYPES[name].artefact === 'token');

/** Whether tokens of this anchor vouch for a time, and lead to certificates. */
export function isTokenAnchor({ type }: { readonly type: AnchorType }): boolean {
  return TOKEN_ANCHORS.includes(type);
}

/** Whether anyone verifies the entries of this anchor by pinned keys of logs. They state no time. */
export function isEntryAnchor({ type }: { readonly type: AnchorType }): boolean {
  return ANCHOR_TYPES[type].artefact === 'entry';
}

type Local = {
  [Name in AnchorType]: (typeof ANCHOR_TYPES)[Name]['isExternal'] extends true ? never : Name;
}[AnchorType];

/** Whether an anchor is with an outside party. */
export function isExternalAnchor<Anchor extends { readonly type: AnchorType }>(
  anchor: Anchor,
): anchor is Exclude<Anchor, { readonly type: Local }> {
  return ANCHOR_TYPES[anchor.type].isExternal;
}
