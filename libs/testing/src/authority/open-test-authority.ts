import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../listen.ts';
import { AUTHORITY_EXTENSIONS, issueCertificate, ISSUER_EXTENSIONS, type KEY_KINDS } from './issue-certificate.ts';
import { runOpenssl } from './openssl.ts';

/** A time-stamping authority on this machine: `openssl ts` behind HTTP, with its own chain of three certificates. */
export type TestAuthority = {
  /** `http://127.0.0.1:<port>/`. */
  readonly url: string;
  /** The root alone; the token carries the rest. */
  readonly rootPem: string;
  /** Holds `root.pem`, `between.pem`, `authority.pem` and their keys. */
  readonly directory: string;
  /** A TimeStampResp for a TimeStampReq, without HTTP. */
  stamp(requestDer: Uint8Array): Promise<Uint8Array>;
  /** Whether `openssl ts -verify` believes the response over the digest, with the root alone. */
  isAcceptedByOpenssl(responseDer: Uint8Array, digest: Uint8Array): Promise<boolean>;
  close(): Promise<void>;
};

/** What distinguishes one authority from another. */
export type TestAuthorityOptions = {
  readonly keyKind?: keyof typeof KEY_KINDS;
  readonly hash?: 'sha256' | 'sha384' | 'sha512';
  /** The hash of ESSCertID: `sha1` makes the old form, the others ESSCertIDv2. */
  readonly certIdHash?: 'sha1' | 'sha256' | 'sha512';
  /** Extensions of the authority's certificate, in OpenSSL's words. */
  readonly extensions?: string;
  /** The same of the certificate that issued it. */
  readonly issuerExtensions?: string;
  /** For how long the authority's certificate is valid; a year when left out. */
  readonly days?: number;
};

const REQUEST_SIZE_MAX_BYTES = 64 * 1024;

/** Opens an authority on a free port of the loopback interface; anyone who opened it closes it. */
export async function openTestAuthority(options: TestAuthorityOptions = {}): Promise<TestAuthority> {
  const directory = await mkdtemp(join(tmpdir(), 'answer-evidence-authority-'));
  const keyKind = options.keyKind ?? 'p-256';
  const rootPem = await issueCertificate(directory, { name: 'root', keyKind, extensions: ISSUER_EXTENSIONS });
  await issueCertificate(directory, {
    name: 'between',
    keyKind,
    issuer: 'root',
    extensions: options.issuerExtensions ?? ISSUER_EXTENSIONS,
    serial: 2,
  });
  const extensions = options.extensions ?? AUTHORITY_EXTENSIONS;
  const days = options.days ?? 365;
  await issueCertificate(directory, { name: 'authority', keyKind, issuer: 'between', extensions, serial: 3, days });
  await writeFile(join(directory, 'ts.conf'), formatConfiguration(options));
  await writeFile(join(directory, 'serial'), '01\n');

  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  // One at a time: openssl keeps the serial number in a file.
  function stamp(requestDer: Uint8Array): Promise<Uint8Array> {
    const next = last.then(async () => {
      count += 1;
      const [query, reply] = [`${count}.tsq`, `${count}.tsr`];
      await writeFile(join(directory, query), requestDer);
      await runOpenssl(directory, ['ts', '-reply', '-config', 'ts.conf', '-queryfile', query, '-out', reply]);
      return new Uint8Array(await readFile(join(directory, reply)));
    });
    last = next.catch(() => undefined);
    return next;
  }

  const server = await listen((request, response) => {
    answer(request, response, stamp).catch(() => response.destroy());
  });
  return {
    url: `${server.url}/`,
    rootPem,
    directory,
    stamp,
    async isAcceptedByOpenssl(responseDer, digest) {
      await writeFile(join(directory, 'stored.tsr'), responseDer);
      const given = ['-digest', Buffer.from(digest).toString('hex'), '-in', 'stored.tsr', '-CAfile', 'root.pem'];
      try {
        return (await runOpenssl(directory, ['ts', '-verify', ...given])).includes('Verification: OK');
      } catch {
        return false;
      }
    },
    async close() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  stamp: TestAuthority['stamp'],
): Promise<void> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > REQUEST_SIZE_MAX_BYTES) return void response.destroy();
    parts.push(part);
  }
  const isQuery = request.method === 'POST' && request.headers['content-type'] === 'application/timestamp-query';
  if (!isQuery) return void response.writeHead(415).end();
  const reply = await stamp(Buffer.concat(parts));
  response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(reply);
}

function formatConfiguration({ hash = 'sha256', certIdHash = 'sha256' }: TestAuthorityOptions): string {
  return `[tsa]
default_tsa = config
[config]
dir = .
serial = ./serial
crypto_device = builtin
signer_cert = ./authority.pem
certs = ./between.pem
signer_key = ./authority.key
signer_digest = ${hash}
default_policy = 1.3.6.1.4.1.99999.1
digests = sha256, sha384, sha512
accuracy = secs:1, millisecs:500, microsecs:100
clock_precision_digits = 3
ordering = no
tsa_name = yes
ess_cert_id_chain = no
ess_cert_id_alg = ${certIdHash}
`;
}
