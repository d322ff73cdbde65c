import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from '../listen.ts';
import { answerS3 } from './answer-s3.ts';
import { createFakeKms, type KmsFault, KmsRefusal } from './fake-kms.ts';
import { judgeSignature, type Signature, type SignedRequest } from './judge-signature.ts';

/** Keys that the fake has given out. */
type Issued = { readonly secret: string; readonly session: string | undefined; readonly expiresAtMs: number };

/** A server that is every service of AWS which the tests need: STS, the metadata servers, S3 and KMS. */
export type FakeAws = Awaited<ReturnType<typeof openFakeAws>>;

const ROLE = 'the-role';

/** Opens one; anyone who opened it closes it. It checks each request as AWS does, and keeps what it was asked. */
export async function openFakeAws(start: { readonly lifetimeMs: number }) {
  const issued = new Map<string, Issued>();
  const asked: string[] = [];
  const imdsTokens = new Set<string>();
  const kms = createFakeKms();
  const objects = new Map<string, Buffer>();
  let lifetimeMs = start.lifetimeMs;
  let isUnavailable = false;
  let podToken = randomUUID();
  let webToken = randomUUID();

  function issue(kind: string) {
    const accessKey = `ASIA${kind}${String(issued.size).padStart(4, '0')}`;
    const one = { secret: randomUUID(), session: `session/of+${accessKey}==`, expiresAtMs: Date.now() + lifetimeMs };
    issued.set(accessKey, one);
    return { accessKey, ...one, expiration: new Date(one.expiresAtMs).toISOString() };
  }

  /** Throws the code of AWS. */
  function authorize(request: SignedRequest, atMs = Date.now()): Signature {
    let signature: Signature;
    try {
      signature = judgeSignature(request, (accessKey) => issued.get(accessKey)?.secret);
    } catch (error) {
      asked.push(`refused: ${String(error)}`);
      throw new Error('SignatureDoesNotMatch', { cause: error });
    }
    const one = issued.get(signature.accessKey);
    if (one === undefined || one.session !== signature.sessionToken) throw new Error('InvalidToken');
    if (one.expiresAtMs <= atMs) throw new Error('ExpiredToken');
    asked.push(`${signature.service} by ${signature.accessKey}`);
    return signature;
  }

  const json = (response: ServerResponse, value: unknown, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const keysAsJson = (kind: string) => {
    const { accessKey, secret, session, expiration } = issue(kind);
    const shape = { AccessKeyId: accessKey, SecretAccessKey: secret, Token: session, Expiration: expiration };
    return { Code: 'Success', Type: 'AWS-HMAC', LastUpdated: new Date().toISOString(), ...shape };
  };

  function answerImds(request: IncomingMessage, response: ServerResponse): void {
    if (request.method === 'PUT' && request.url === '/latest/api/token') {
      const ttl = Number(request.headers['x-aws-ec2-metadata-token-ttl-seconds']);
      if (!(ttl >= 1 && ttl <= 21_600)) return void response.writeHead(400).end();
      const token = randomUUID();
      imdsTokens.add(token);
      return void response.end(token);
    }
    // Version 1 asks without a token, and is switched off.
    if (!imdsTokens.has(String(request.headers['x-aws-ec2-metadata-token']))) return void response.writeHead(401).end();
    if (/\/security-credentials\/$/.test(request.url ?? '')) return void response.end(ROLE);
    if (!request.url?.endsWith(`/security-credentials/${ROLE}`)) return void response.writeHead(404).end();
    asked.push('imds');
    json(response, keysAsJson('IMDS'));
  }

  function answerContainer(request: IncomingMessage, response: ServerResponse, isPod: boolean): void {
    if (isPod && request.headers.authorization !== podToken) return void response.writeHead(401).end('{}');
    asked.push(isPod ? 'pod' : 'task');
    const { Code: _code, Type: _type, LastUpdated: _updated, ...keys } = keysAsJson(isPod ? 'POD' : 'TASK');
    json(response, keys);
  }

  function answerSts({ body }: SignedRequest, response: ServerResponse): void {
    const form = new URLSearchParams(body.toString());
    const isRight =
      form.get('Action') === 'AssumeRoleWithWebIdentity' &&
      form.get('Version') === '2011-06-15' &&
      /^arn:aws:iam::\d{12}:role\/.+/.test(form.get('RoleArn') ?? '') &&
      (form.get('RoleSessionName') ?? '') !== '';
    if (!isRight || form.get('WebIdentityToken') !== webToken)
      return void response
        .writeHead(400, { 'content-type': 'text/xml' })
        .end(
          `<ErrorResponse><Error><Code>${isRight ? 'InvalidIdentityToken' : 'ValidationError'}</Code></Error></ErrorResponse>`,
        );
    asked.push('sts');
    const { accessKey, secret, session, expiration } = issue('WEB');
    const keys =
      `<AccessKeyId>${accessKey}</AccessKeyId><SecretAccessKey>${secret}</SecretAccessKey>` +
      `<SessionToken>${session}</SessionToken><Expiration>${expiration}</Expiration>`;
    response
      .writeHead(200, { 'content-type': 'text/xml' })
      .end(
        '<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">' +
          `<AssumeRoleWithWebIdentityResult><Credentials>${keys}</Credentials></AssumeRoleWithWebIdentityResult>` +
          '</AssumeRoleWithWebIdentityResponse>',
      );
  }

  /** KMS, to a request that is signed for it. */
  function answerKms(request: SignedRequest, response: ServerResponse): void {
    const refuse = (type: string) => json(response, { __type: type, message: 'no' }, 400);
    try {
      if (authorize(request).service !== 'kms') return void refuse('IncompleteSignature');
    } catch (error) {
      const code = (error as Error).message;
      return void refuse(code === 'ExpiredToken' ? 'ExpiredTokenException' : 'InvalidSignatureException');
    }
    try {
      const answer = kms.answer(String(request.headers['x-amz-target']), request.body);
      if (answer !== undefined) json(response, answer);
    } catch (error) {
      refuse(error instanceof KmsRefusal ? error.message : 'SerializationException');
    }
  }

  const server = await listen((request, response) => {
    const pieces: Buffer[] = [];
    // Keys have to hold when a request begins, however long its content takes.
    const atMs = Date.now();
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces);
      const { method = '', url: target = '', headers } = request;
      const signed: SignedRequest = { method, target, headers, body };
      if (isUnavailable && !target.startsWith('/evidence')) return void response.writeHead(500).end();
      if (target.startsWith('/latest/')) return answerImds(request, response);
      if (target === '/v2/credentials/task') return answerContainer(request, response, false);
      if (target === '/v1/credentials') return answerContainer(request, response, true);
      if (headers['x-amz-target'] !== undefined) return answerKms(signed, response);
      if (target.startsWith('/evidence')) return answerS3(objects, signed, response, () => authorize(signed, atMs));
      answerSts(signed, response);
    });
  });

  return {
    ...server,
    /** What it was asked for and granted, in order. */
    asked,
    objects,
    /** Keys that hold until somebody takes them away, as an administrator makes them. */
    issue: () => issue('USER'),
    /** When the last of the keys ends that were given out. */
    lastEndsAtMs: () => Math.max(0, ...[...issued.values()].map(({ expiresAtMs }) => expiresAtMs)),
    secretOf: (accessKey: string) => issued.get(accessKey)?.secret,
    get podToken() {
      return podToken;
    },
    get webToken() {
      return webToken;
    },
    /** The tokens that the platform has mounted are others from now on. */
    replaceTokens() {
      podToken = randomUUID();
      webToken = randomUUID();
    },
    /** Keys that are given out from now on hold for so long. */
    setLifetimeMs(next: number): void {
      lifetimeMs = next;
    },
    /** What KMS does from now on. */
    setKms: (fault: KmsFault) => kms.become(fault),
    /** While it does not respond, everything but S3 fails. */
    setUnavailable(next: boolean): void {
      isUnavailable = next;
    },
  };
}
