import { createHash, createHmac } from 'node:crypto';

/** A request as it arrived. */
export type SignedRequest = {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
};

/** What is told of a signature that is right. */
export type Signature = {
  readonly accessKey: string;
  readonly sessionToken: string | undefined;
  readonly region: string;
  readonly service: string;
};

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const SKEW_MS_MAX = 15 * 60_000;

/**
 * Reads a request as AWS does (Signature Version 4, in the header or in the query), with the secrets that `secretOf`
 * knows. Throws an error that says what is wrong. Written from the specification, and not with what signs.
 */
export function judgeSignature(request: SignedRequest, secretOf: (accessKey: string) => string | undefined): Signature {
  const [path = '', query = ''] = request.target.split(/\?(.*)/s);
  const pairs =
    query === '' ? [] : query.split('&').map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]);
  const isInQuery = pairs.some(([name]) => name === 'X-Amz-Signature');
  const parts = isInQuery ? readQuery(pairs) : readHeader(request.headers);
  const [accessKey = '', day = '', region = '', service = '', end] = parts.credential.split('/');
  if (end !== 'aws4_request' || !parts.date.startsWith(day)) throw new Error('malformed scope');
  const secret = secretOf(accessKey);
  if (secret === undefined) throw new Error('unknown access key');
  const at = Date.parse(parts.date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(Date.now() - at) < SKEW_MS_MAX)) throw new Error('the time of the signature is far off');
  if (!parts.signedHeaders.includes('host')) throw new Error('the host is not signed');
  const payload = payloadOf(request, isInQuery);
  const signed = pairs.filter(([name]) => name !== 'X-Amz-Signature');
  const canonical = [
    request.method,
    service === 's3' ? path : path.split('/').map(encode).join('/'),
    signed
      .map(([name, value = '']) => `${name}=${value}`)
      .toSorted((a, b) => (a < b ? -1 : 1))
      .join('&'),
    ...parts.signedHeaders.map(
      (name) =>
        `${name}:${String(request.headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}`,
    ),
    '',
    parts.signedHeaders.join(';'),
    payload,
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', parts.date, scope, sha256(canonical)].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secret}`);
  if (hmac(key, text).toString('hex') !== parts.signature) throw new Error('the signature does not match');
  return { accessKey, sessionToken: parts.sessionToken, region, service };
}

type Parts = {
  readonly credential: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly date: string;
  readonly sessionToken: string | undefined;
};

function readHeader(headers: SignedRequest['headers']): Parts {
  const form = /^AWS4-HMAC-SHA256 Credential=(\S+?), ?SignedHeaders=(\S+?), ?Signature=([0-9a-f]{64})$/;
  const [, credential, signedHeaders, signature] = form.exec(String(headers['authorization'])) ?? [];
  if (credential === undefined || signedHeaders === undefined || signature === undefined)
    throw new Error('there is no signature');
  const names = signedHeaders.split(';');
  const token = headers['x-amz-security-token'];
  if (token !== undefined && !names.includes('x-amz-security-token')) throw new Error('the session is not signed');
  return {
    credential,
    signedHeaders: names,
    signature,
    date: String(headers['x-amz-date']),
    sessionToken: token === undefined ? undefined : String(token),
  };
}

function readQuery(pairs: readonly (readonly [string, string])[]): Parts {
  const given = Object.fromEntries(pairs.map(([name, value]) => [name, decodeURIComponent(value)]));
  return {
    credential: given['X-Amz-Credential'] ?? '',
    signedHeaders: (given['X-Amz-SignedHeaders'] ?? '').split(';'),
    signature: given['X-Amz-Signature'] ?? '',
    date: given['X-Amz-Date'] ?? '',
    sessionToken: given['X-Amz-Security-Token'],
  };
}

function payloadOf({ headers, body }: SignedRequest, isInQuery: boolean): string {
  const actual = sha256(body);
  const said = headers['x-amz-content-sha256'];
  if (isInQuery || said === undefined) return actual;
  if (said !== 'UNSIGNED-PAYLOAD' && said !== actual) throw new Error('the content is not the signed one');
  return String(said);
}

function encode(part: string): string {
  return encodeURIComponent(part).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
