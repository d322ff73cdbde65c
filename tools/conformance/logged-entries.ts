import type { JsonValue, RekorEntry } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { canonicalize, formatBase64, utf8 } from '@answer-evidence/encoding';
import { leafHash, nodeHash } from '@answer-evidence/merkle';
import { ED25519, formatCheckpoint, parseVkey, signText } from '@answer-evidence/note';
import { createSuiteKey } from './reseal.ts';

/** The host of the log of the suite. */
export const HOST = 'rekor.example';
/** Its key, that of another log of the same name, and that of the log after it. */
export const KEY = createSuiteKey(HOST, 50);
export const OTHER = createSuiteKey(HOST, 51);
export const NEWER = createSuiteKey('newer.rekor.example', 52);

/** An entry, of which anything may be wrong. */
export type LooseLogEntry = {
  canonicalizedBody: string;
  inclusionProof: RekorEntry['inclusionProof'];
  kindVersion?: { kind: string; version: string };
  logId?: { keyId: string };
  logIndex: string | number;
  integratedTime?: string;
};

/** What an entry is made of; what is left out is what a good one has. */
export type Draft = {
  readonly digest?: Uint8Array;
  /** What the log holds. */
  readonly body?: (body: Record<string, JsonValue>) => JsonValue;
  readonly key?: typeof KEY;
  readonly origin?: string;
  /** The text of the log's checkpoint, before it is signed. */
  readonly text?: (text: string) => string;
  readonly note?: (note: string) => string;
  readonly entry?: (entry: LooseLogEntry) => void;
  readonly artefact?: (text: string) => string;
};

/** Others' entries beside ours, which is the third of five. */
const [A, B, D, E] = ['a', 'b', 'd', 'e'].map((name) => leafHash(name)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const INDEX = 2;
const SIZE = 5;

/** An entry over a text, as an artefact. */
export function draftEntry(text: string, draft: Draft): string {
  const digest = draft.digest ?? sha256(utf8(text));
  const verifier = { keyDetails: 'PKIX_ECDSA_P256_SHA_256', publicKey: { rawBytes: 'AAAA' } };
  const data = { algorithm: 'SHA2_256', digest: formatBase64(digest) };
  const spec = { hashedRekordV002: { data, signature: { content: 'AAAA', verifier } } };
  const change = draft.body ?? ((body) => body);
  const body = utf8(canonicalize(change({ apiVersion: '0.0.2', kind: 'hashedrekord', spec })));
  const [left, right] = [nodeHash(A, B), nodeHash(leafHash(body), D)];
  const root = nodeHash(nodeHash(left, right), E);
  const head = formatCheckpoint({ origin: draft.origin ?? HOST, size: SIZE, root });
  const note = signText(draft.text?.(head) ?? head, [draft.key ?? KEY]);
  const entry: LooseLogEntry = {
    canonicalizedBody: formatBase64(body),
    inclusionProof: {
      checkpoint: { envelope: draft.note?.(note) ?? note },
      hashes: [D, left, E].map(formatBase64),
      logIndex: String(INDEX),
      rootHash: formatBase64(root),
      treeSize: String(SIZE),
    },
    kindVersion: { kind: 'hashedrekord', version: '0.0.2' },
    logId: { keyId: formatBase64(logIdOf(draft.key ?? KEY)) },
    logIndex: String(INDEX),
  };
  draft.entry?.(entry);
  const written = canonicalize(entry);
  return draft.artefact?.(written) ?? written;
}

function typedKeyOf({ vkey }: typeof KEY): Uint8Array {
  return Uint8Array.of(ED25519, ...parseVkey(vkey).publicKey);
}

/** The whole hash of which a key id has the first four bytes. */
export function logIdOf(key: typeof KEY): Uint8Array {
  return sha256(new Uint8Array([...utf8(`${parseVkey(key.vkey).name}\n`), ...typedKeyOf(key)]));
}

const SPKI = '302a300506032b6570032100';

/** A log as an element of `tlogs`. Its time has ended. */
export function describeLog(key: typeof KEY, more: object = {}): object {
  const { name, publicKey } = parseVkey(key.vkey);
  const rawBytes = formatBase64(new Uint8Array([...Buffer.from(SPKI, 'hex'), ...publicKey]));
  const validFor = { start: '2025-09-01T00:00:00Z', end: '2026-01-01T00:00:00Z' };
  return {
    baseUrl: `https://${name}`,
    hashAlgorithm: 'SHA2_256',
    publicKey: { rawBytes, keyDetails: 'PKIX_ED25519', validFor },
    logId: { keyId: formatBase64(logIdOf(key)) },
    ...more,
  };
}
