import type { BundleAnchor, JsonValue, PinnedAnchor } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { formatBase64, utf8 } from '@answer-evidence/encoding';
import { createVkey, ED25519, formatVkey, signText } from '@answer-evidence/note';
import {
  describeLog,
  type Draft,
  draftEntry,
  HOST,
  KEY,
  logIdOf,
  type LooseLogEntry,
  NEWER,
  OTHER,
} from '../logged-entries.ts';
import { createWitness, reseal, type World } from '../reseal.ts';
import { openStamps } from '../stamps/tokens.ts';
import { ANCHORED, OPEN, REFUSED } from './times.ts';
import { give, giveFiles, type Open, type WholeCase } from './whole-case.ts';

type Row = readonly [name: string, outcomes: Readonly<Record<string, string>> | 'refused', draft: Draft, keys?: string];

const rootOf = (...tlogs: readonly object[]) =>
  JSON.stringify({ mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1', tlogs, ctlogs: [] });
const EARLIER_LOG = {
  baseUrl: 'https://rekor.example',
  publicKey: { rawBytes: 'AAAA', keyDetails: 'PKIX_ECDSA_P256_SHA_256' },
  logId: { keyId: 'AAAA' },
};
const entryOf = (entry: (entry: LooseLogEntry) => void): Draft => ({ entry });
const proofOf = (change: (proof: LooseLogEntry['inclusionProof']) => void): Draft => ({
  entry: ({ inclusionProof }) => change(inclusionProof),
});
const placedAt = (index: string): Draft =>
  entryOf((entry) => {
    entry.logIndex = index;
    entry.inclusionProof.logIndex = index;
  });
const hashing = (change: (data: Record<string, JsonValue>) => JsonValue): Draft => ({
  body: ({ spec, ...rest }) => {
    const { hashedRekordV002 } = spec as { readonly hashedRekordV002: { readonly data: Record<string, JsonValue> } };
    return { ...rest, spec: { hashedRekordV002: { ...hashedRekordV002, data: change(hashedRekordV002.data) } } };
  },
});
const [HASH] = [formatBase64(sha256(utf8('another')))];
const witnessLine = (note: string) =>
  signText(note.slice(0, note.indexOf('\n\n') + 1), [createWitness(1)]).split('\n\n')[1];

const ROWS: readonly Row[] = [
  ['under a vkey', ANCHORED, {}],
  ['under a trusted root, whose time for the log has ended', ANCHORED, {}, rootOf(describeLog(KEY))],
  ['under the second of two vkeys, after the log has retired', ANCHORED, {}, `${NEWER.vkey}\n${KEY.vkey}\n`],
  ['under one vkey with spaces and empty lines', ANCHORED, {}, `\r\n \t${KEY.vkey} \r\n\n`],
  [
    'under a trusted root with a log of Rekor v1, and others',
    ANCHORED,
    {},
    ` \n${rootOf(EARLIER_LOG, {}, describeLog(NEWER), describeLog(KEY))}`,
  ],
  ['under a base URL with port and path', ANCHORED, {}, rootOf(describeLog(KEY, { baseUrl: `http://${HOST}:3000/x` }))],
  ['without the id of the log', ANCHORED, entryOf((entry) => delete entry.logId)],
  ['with a cosignature that nobody pinned', ANCHORED, { note: (note) => note + (witnessLine(note) ?? '') }],
  ['with more in the body', ANCHORED, { body: (body) => ({ ...body, more: 1 }) }],
  ['of another hash', REFUSED, { digest: sha256(utf8('another checkpoint')) }],
  ['signed by a key that is not pinned', REFUSED, { key: OTHER }],
  ['of a log that is not pinned', REFUSED, {}, NEWER.vkey],
  ['of another origin than the name of the key', REFUSED, { origin: 'newer.rekor.example' }],
  [
    'of the other pinned log, signed by this one',
    REFUSED,
    { origin: 'newer.rekor.example' },
    `${NEWER.vkey}\n${KEY.vkey}`,
  ],
  ['with a wrong signature after the right one', REFUSED, { note: (note) => note + wrongLine(note) }],
  ['with a checkpoint of four lines', REFUSED, { text: (text) => `${text}frozen\n` }],
  ['with a checkpoint of another size', REFUSED, { text: (text) => text.replace('\n5\n', '\n6\n') }],
  ['with a note without signatures', REFUSED, { note: (note) => note.slice(0, note.indexOf('\n\n') + 2) }],
  ['with another hash in the proof', REFUSED, proofOf((proof) => (proof.hashes[1] = HASH))],
  ['with a hash less', REFUSED, proofOf((proof) => proof.hashes.pop())],
  ['with a hash more', REFUSED, proofOf((proof) => proof.hashes.push(HASH))],
  ['with the hashes in another order', REFUSED, proofOf((proof) => proof.hashes.reverse())],
  ['with a hash of 31 bytes', REFUSED, proofOf((proof) => (proof.hashes[0] = formatBase64(new Uint8Array(31))))],
  [
    'with a hash without padding',
    REFUSED,
    proofOf((proof) => (proof.hashes[0] = proof.hashes[0]?.replace('=', '') ?? '')),
  ],
  ['at another place', REFUSED, placedAt('3')],
  ['at two places', REFUSED, entryOf((entry) => (entry.logIndex = '3'))],
  ['outside of the tree', REFUSED, placedAt('5')],
  ['with another size beside the checkpoint', REFUSED, proofOf((proof) => (proof.treeSize = '6'))],
  ['with another root beside the checkpoint', REFUSED, proofOf((proof) => (proof.rootHash = HASH))],
  ['with the id of another log', REFUSED, entryOf((entry) => (entry.logId = { keyId: formatBase64(logIdOf(NEWER)) }))],
  ['with the four bytes of the id alone', REFUSED, entryOf((entry) => (entry.logId = { keyId: 'AAAAAA==' }))],
  ['of another kind', REFUSED, { body: (body) => ({ ...body, kind: 'dsse' }) }],
  ['of another version', REFUSED, { body: (body) => ({ ...body, apiVersion: '0.0.1' }) }],
  ['said to be of another kind', REFUSED, entryOf((entry) => (entry.kindVersion = { kind: 'dsse', version: '0.0.2' }))],
  ['said to be of SHA-512', REFUSED, hashing((data) => ({ ...data, algorithm: 'SHA2_512' }))],
  ['with a hash that is null', REFUSED, hashing((data) => ({ ...data, digest: null }))],
  ['whose body is a text', REFUSED, { body: () => 'hashedrekord' }],
  ['whose body is not what the log holds', REFUSED, entryOf((entry) => (entry.canonicalizedBody = 'e30='))],
  ['whose body is not base64', REFUSED, entryOf((entry) => (entry.canonicalizedBody += '='))],
  ['with a member more', REFUSED, entryOf((entry) => (entry.integratedTime = '0'))],
  ['with a member less', REFUSED, entryOf((entry) => delete entry.kindVersion)],
  ['with a number as a number', REFUSED, entryOf((entry) => (entry.logIndex = 2))],
  ['with a leading zero', REFUSED, placedAt('02')],
  ['with a place of 2^53', REFUSED, placedAt('9007199254740992')],
  ['with a space', REFUSED, { artefact: (text) => text.replace(',', ', ') }],
  ['with a line feed at the end', REFUSED, { artefact: (text) => `${text}\n` }],
  ['with a member twice', REFUSED, { artefact: (text) => text.replace('{', '{"logIndex":"2",') }],
  ['that is no JSON', REFUSED, { artefact: () => 'entry' }],
  ['that is an array', REFUSED, { artefact: (text) => `[${text}]` }],
  ['under keys that are none', 'refused', {}, 'junk'],
  ['under an empty text', 'refused', {}, ' \n'],
  ['under a key of a witness', 'refused', {}, createWitness(1).vkey],
  ['under a vkey with a wrong id', 'refused', {}, KEY.vkey.replace(/\+[0-9a-f]{8}/, '+00000000')],
  ['under a good vkey and one that cannot be read', 'refused', {}, `${KEY.vkey}\njunk`],
  ['under a trusted root that is no JSON', 'refused', {}, '{"tlogs":[}'],
  ['under a trusted root without logs', 'refused', {}, '{"tlogs":{}}'],
  ['under a trusted root with logs of Rekor v1 alone', 'refused', {}, rootOf(EARLIER_LOG)],
  ['under a trusted root of another id', 'refused', {}, rootOf(describeLog(KEY, { logId: { keyId: HASH } }))],
  [
    'under a trusted root of another host',
    'refused',
    {},
    rootOf(describeLog(KEY, { baseUrl: 'https://other.example' })),
  ],
  [
    'under a trusted root with a user in the URL',
    'refused',
    {},
    rootOf(describeLog(KEY, { baseUrl: `https://a@${HOST}` })),
  ],
  ['under 16 keys', ANCHORED, {}, keysOf(15)],
  ['under 17 keys', 'refused', {}, keysOf(16)],
  ['under 65,536 code units', ANCHORED, {}, KEY.vkey.padEnd(65_536, '\n')],
  ['under 65,537 code units', 'refused', {}, KEY.vkey.padEnd(65_537, '\n')],
];

/** A signature in the name of the key that is wrong. */
function wrongLine(note: string): string {
  const line = note.slice(note.indexOf('\n\n') + 2);
  const at = line.length - 20;
  return line.slice(0, at) + (line[at] === 'A' ? 'B' : 'A') + line.slice(at + 1);
}

function keysOf(count: number): string {
  const others = Array.from({ length: count }, (_, n) =>
    formatVkey(createVkey(`log-${n}.example`, ED25519, sha256(`${n}`))),
  );
  return [...others, KEY.vkey].join('\n');
}

function textOf({ bundle: { checkpoint } }: World): string {
  return checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1);
}

/** Entries of public logs under a pinned anchor, alone and beside tokens, and trust files with keys of logs. */
export function listEntries(open: Open): readonly WholeCase[] {
  const world = reseal(open('plain'));
  const text = textOf(world);
  const logged = (draft: Draft): BundleAnchor => ({
    ...{ anchor_id: 'log', type: 'rekor' },
    artefact: formatBase64(utf8(draftEntry(text, draft))),
  });
  const pinOf = (keys: string): PinnedAnchor => ({
    ...{ anchor_id: 'log', type: 'rekor', required: true, certificate_pem: null },
    log_keys: keys,
  });
  const make = openStamps(sha256(utf8(text)));
  const { pem } = make({});
  const token = (id: string, genTime: string): BundleAnchor => ({
    ...{ anchor_id: id, type: 'rfc3161' },
    artefact: formatBase64(make({ genTime }).response),
  });
  const authority = (id: string): PinnedAnchor => ({
    ...{ anchor_id: id, type: 'rfc3161', required: false },
    certificate_pem: pem,
  });
  const worldOf = (anchors: readonly BundleAnchor[], pins: readonly unknown[], needed: number): World => ({
    ...world,
    bundle: { ...world.bundle, anchors: [...anchors] },
    trust: { ...world.trust, anchors: [...pins] as PinnedAnchor[], anchors_required: needed },
  });
  const [pin, entry] = [pinOf(KEY.vkey), logged({})];
  const [a, b] = [token('a', '20261122212300Z'), token('b', '20261122222300Z')];
  const [pinA, pinB] = [authority('a'), authority('b')];
  const pinned: readonly (readonly [name: string, world: World, expected: WholeCase['expected']])[] = [
    ...ROWS.map(([name, outcomes, draft, keys]) => {
      const expected = outcomes === 'refused' ? { refused: true as const } : { outcomes };
      return [name, worldOf([logged(draft)], [pinOf(keys ?? KEY.vkey)], 1), expected] as const;
    }),
    ['none shown', worldOf([], [pin], 1), { outcomes: OPEN }],
    ['one where two anchors are needed', worldOf([entry], [pin], 2), { outcomes: OPEN }],
    ['beside a token, where two are needed', worldOf([a, entry], [pinA, pin], 2), { outcomes: ANCHORED }],
    ['under roots alone', worldOf([entry], [], 1), { outcomes: OPEN }],
    ['pinned without keys', worldOf([entry], [{ ...pin, log_keys: undefined }], 1), { refused: true }],
    ['pinned with a certificate', worldOf([entry], [{ ...pin, certificate_pem: pem }], 1), { refused: true }],
    ['keys of a log for an authority', worldOf([a], [{ ...pinA, log_keys: KEY.vkey }], 1), { refused: true }],
  ];
  const bounds: readonly (readonly [name: string, world: World, bound: string])[] = [
    ['alone', worldOf([entry], [pin], 1), 'none'],
    ['and one token where two are needed', worldOf([entry, a], [pin, pinA], 2), `${FIRST}, anchor a`],
    ['and two tokens where two are needed', worldOf([entry, a, b], [pin, pinA, pinB], 2), BOTH],
    ['and two tokens where three are needed', worldOf([entry, a, b], [pin, pinA, pinB], 3), BOTH],
  ];
  return [
    ...pinned.map(([name, of, expected]) => ({ id: `entry of a log: ${name}`, given: give(of), expected })),
    ...bounds.map(([name, of, bound]) => ({
      id: `entry of a log, and the time: ${name}`,
      given: giveFiles(of, { bundle: JSON.stringify(of.bundle) }),
      expected: { outcomes: { 'bundle not_later_than': bound } },
    })),
  ];
}

const FIRST = '2026-11-22T21:23:00.000000Z';
const BOTH = '2026-11-22T22:23:00.000000Z, anchor a, anchor b';
