import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sha256 } from '@answer-evidence/digest';
import { concatBytes, formatBase64, utf8 } from '@answer-evidence/encoding';
import { EMPTY_ROOT, leafHash, nodeHash } from '@answer-evidence/merkle';
import { createVkey, ED25519, formatCheckpoint, formatNote, formatVkey, type Vkey } from '@answer-evidence/note';
import { listen } from './listen.ts';

/** What a log does wrong, or no longer. */
export type RekorConduct =
  | 'takes entries'
  | 'is retired'
  | 'has it already'
  | 'is too busy'
  | 'refuses'
  | 'forges the proof'
  | 'logs another hash'
  | 'signs by another key'
  | 'states another tree'
  | 'responds in HTML'
  | 'responds with another entry type';

/** A log of Rekor v2 in memory, on the loopback interface; anyone who opened it closes it. */
export type TestRekor = {
  readonly url: string;
  readonly vkey: string;
  /** A `trusted_root.json` with this log; `end` is when it takes no more entries. */
  trustedRoot(end?: string): string;
  conduct: RekorConduct;
  /** How many entries it has. */
  readonly size: number;
  close(): Promise<void>;
};

const HOST = '127.0.0.1';
const ED25519_SPKI_BYTES = 12;
const STATUS: Partial<Record<RekorConduct, number>> = {
  'is retired': 405,
  'has it already': 409,
  'is too busy': 503,
  refuses: 400,
};

/** Opens a log. It believes signatures: the real one, which does not, is used by `e2e/rekor.test.ts`. */
export async function openTestRekor(): Promise<TestRekor> {
  const own = createLogKey();
  const other = createLogKey();
  const leaves: Uint8Array[] = [];
  const server = await listen((request, response) => void respond(request, response));

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/plain' }).end(signHead(rekor.conduct));
      return;
    }
    const status = STATUS[rekor.conduct];
    if (status !== undefined) {
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"code":1,"message":"words-of-the-log"}');
      return;
    }
    const { hashedRekordRequestV002: asked } = JSON.parse(Buffer.concat(chunks).toString()) as Submitted;
    const type = rekor.conduct === 'responds in HTML' ? 'text/html' : 'application/json';
    response.writeHead(201, { 'content-type': type }).end(JSON.stringify(add(asked, rekor.conduct)));
  }

  function add({ digest, signature }: Submitted['hashedRekordRequestV002'], conduct: RekorConduct): unknown {
    const logged = conduct === 'logs another hash' ? formatBase64(EMPTY_ROOT) : digest;
    const body = {
      apiVersion: '0.0.2',
      kind: 'hashedrekord',
      spec: { hashedRekordV002: { data: { algorithm: 'SHA2_256', digest: logged }, signature } },
    };
    const canonicalizedBody = utf8(JSON.stringify(body));
    const logIndex = String(leaves.push(leafHash(canonicalizedBody)) - 1);
    const hashes = prove(leaves, leaves.length - 1);
    const forged = conduct === 'forges the proof' ? [...hashes.slice(1), EMPTY_ROOT] : hashes;
    return {
      logIndex,
      logId: { keyId: own.logId },
      kindVersion: { kind: conduct === 'responds with another entry type' ? 'dsse' : 'hashedrekord', version: '0.0.2' },
      integratedTime: '0',
      inclusionPromise: null,
      inclusionProof: {
        logIndex,
        rootHash: formatBase64(rootOf(leaves)),
        treeSize: String(leaves.length + (conduct === 'states another tree' ? 1 : 0)),
        hashes: forged.map(formatBase64),
        checkpoint: { envelope: signHead(conduct) },
      },
      canonicalizedBody: formatBase64(canonicalizedBody),
    };
  }

  function signHead(conduct: RekorConduct): string {
    const { vkey, key } = conduct === 'signs by another key' ? other : own;
    const text = formatCheckpoint({ origin: HOST, size: leaves.length, root: rootOf(leaves) });
    const signature = new Uint8Array(sign(null, utf8(text), key));
    return formatNote({ text, signatures: [{ name: HOST, keyId: vkey.id, signature }] });
  }

  const rekor: TestRekor = {
    url: server.url,
    vkey: formatVkey(own.vkey),
    trustedRoot: (end) => JSON.stringify(describeTrust(server.url, own, end)),
    conduct: 'takes entries',
    get size() {
      return leaves.length;
    },
    close: () => server.close(),
  };
  return rekor;
}

type Submitted = { readonly hashedRekordRequestV002: { readonly digest: string; readonly signature: unknown } };
type LogKey = { readonly vkey: Vkey; readonly key: KeyObject; readonly spki: Uint8Array; readonly logId: string };

function createLogKey(): LogKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const spki = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }));
  const vkey = createVkey(HOST, ED25519, spki.slice(ED25519_SPKI_BYTES));
  return { vkey, key: privateKey, spki, logId: logIdOf(vkey) };
}

function describeTrust(baseUrl: string, { spki, logId }: LogKey, end: string | undefined): unknown {
  const validFor = { start: '2025-09-01T00:00:00Z', ...(end === undefined ? {} : { end }) };
  const publicKey = { rawBytes: formatBase64(spki), keyDetails: 'PKIX_ED25519', validFor };
  return {
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [{ baseUrl, hashAlgorithm: 'SHA2_256', publicKey, logId: { keyId: logId } }],
  };
}

/** The hash of which a key id has the first four bytes. */
function logIdOf({ name, type, publicKey }: Vkey): string {
  return formatBase64(sha256(concatBytes(utf8(`${name}\n`), Uint8Array.of(type), publicKey)));
}

function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  const [first] = leaves;
  if (first === undefined) return EMPTY_ROOT;
  if (leaves.length === 1) return first;
  const split = splitOf(leaves.length);
  return nodeHash(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

function prove(leaves: readonly Uint8Array[], index: number): readonly Uint8Array[] {
  if (leaves.length <= 1) return [];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split ? [...prove(left, index), rootOf(right)] : [...prove(right, index - split), rootOf(left)];
}

/** The largest power of two below the size. */
function splitOf(size: number): number {
  return 2 ** Math.floor(Math.log2(size - 1));
}
