import { globSync, readFileSync } from 'node:fs';
import { type JsonValue, putTrustPolicyRequest, trustFile } from '@answer-evidence/contracts';
import { canonicalize, JsonError, parseJson, parseJsonText } from '@answer-evidence/encoding';
import { formatTilePath, MerkleError, parseTilePath } from '@answer-evidence/merkle';
import { verifySignature } from '@answer-evidence/node-crypto';
import {
  formatCheckpoint,
  formatNote,
  formatTlogProof,
  formatVkey,
  NoteError,
  parseCheckpoint,
  parseExtendedCheckpoint,
  parseNote,
  parseTlogProof,
  parseVkey,
  parseWitnessPolicy,
  WitnessPolicyError,
} from '@answer-evidence/note';
import { parsePinnedCertificates, TimestampError, verifyTimestamp } from '@answer-evidence/rfc3161';
import { CRAFTED_DIGEST, CRAFTED_NONCE } from '@answer-evidence/testing';
import {
  BundleFormatError,
  createTlogView,
  readEntries,
  readReconciliationProof,
  verifyBundle,
  verifyReceipt,
} from '@answer-evidence/verify';
import { CheckFailure } from '@answer-evidence/verify/verdict';
import { parseAddCheckpoint, parseTrustedLogs, WitnessError } from '@answer-evidence/witness';
import { comparePack } from '../../../libs/client/src/compare/compare-bundle.ts';
import { assertSame, Fault, readEach, type Target, textOf } from '../target.ts';

const ROOT = new URL('../../../', import.meta.url);
const SUITE = 'conformance/v1';
const TRUST = trustFile.parse(JSON.parse(readFileSync(new URL(`${SUITE}/trust/trust.json`, ROOT), 'utf8')));
const VKEYS = TRUST.logs.flatMap(({ keys }) => keys.map(({ vkey }) => vkey));
const RECORD = '0199f3c2-0000-7000-8000-000000000001';
/** The root of the corpus of time-stamps. */
const PIN = readFileSync(new URL('tools/fuzz/corpus/der/root.pem', ROOT), 'utf8');
const STAMPED = readStamp(readFileSync(new URL('tools/fuzz/corpus/der/response.tsr', ROOT)));
const NOTE_WORDS = [
  '\n\n',
  '\u2014 ',
  'c2sp.org/tlog-proof@v1',
  'index 0',
  'extra ',
  '+',
  '=',
  '00',
  '\r',
  '\u0000',
  '\ud83d\ude00',
];

/** Reads a text, writes what was read, and holds one against the other. */
function inverse<T>(parse: (text: string) => T, format: (value: T) => string) {
  return (text: string) => () => assertSame('what was read is written as another text', format(parse(text)), text);
}

const NOTES = [
  inverse(parseNote, formatNote),
  inverse(parseCheckpoint, formatCheckpoint),
  inverse(parseTlogProof, formatTlogProof),
  inverse(parseVkey, formatVkey),
  (text: string) => () => void parseExtendedCheckpoint(text),
  (text: string) => () => void parseAddCheckpoint(text),
  (text: string) => () => void parseTrustedLogs(text),
];

/** What the bundles of the suite prove, of which an altered one that is proven as well can only be one. */
const PROVEN = new Set(
  globSync(`${SUITE}/{bundles,bundles-v2}/*.json`, { cwd: ROOT }).map((path) =>
    provenOf(parseJson(readFileSync(new URL(path, ROOT)))),
  ),
);

function provenOf(bundle: JsonValue): string {
  const { record, events } = bundle as {
    readonly record: { readonly [key: string]: JsonValue };
    readonly events: JsonValue;
  };
  const { entry = null, core = null, disclosed = null } = record;
  return canonicalize({ entry, core, disclosed, events });
}

async function readBundle(input: Uint8Array): Promise<void> {
  const bundle = parseJson(input);
  const { checks } = await verifyBundle(bundle, TRUST, { verifySignature });
  if (checks.length === 0) throw new Fault('a bundle has no checks');
  if (checks.some(({ outcome }) => outcome === 'FAIL')) return;
  if (!PROVEN.has(provenOf(bundle))) throw new Fault('an altered bundle is taken for proven');
}

async function readTiles(input: Uint8Array): Promise<void> {
  const read = () => Promise.resolve(input);
  for (const width of [1, 79, 256]) {
    const entries = await readEntries(read, 0, width).catch(ignoreRefusal);
    if (entries !== undefined) assertSame('a tile has another count of entries', entries.length, width);
    const view = createTlogView(read, { origin: 'log', size: width, root: CRAFTED_DIGEST });
    await view.entriesBelow?.(width).then(() => {
      throw new Fault('entries led to a root that is not theirs');
    }, ignoreRefusal);
  }
}

/** What a time-stamp says. Its bytes may be others where nothing is signed. */
async function readStamp(response: Uint8Array): Promise<object> {
  const { genTimeMicros, accuracyMicros, policyOid, serialNumber, authority, pinSha256, endsAtMicros } =
    await verifyTimestamp(response, { digest: CRAFTED_DIGEST, nonce: CRAFTED_NONCE, rootsPem: [PIN] });
  return { genTimeMicros, accuracyMicros, policyOid, serialNumber, authority, pinSha256, endsAtMicros };
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof CheckFailure)) throw error;
  return undefined;
}

/** What travels with evidence, or vouches for it. */
export const PROOF_TARGETS: readonly Target[] = [
  {
    name: 'der',
    words: [
      '\x30\x80',
      '\x30\x84\xff\xff\xff\xff',
      '\x02\x01\x00',
      '\x06\x03\x55\x04\x03',
      '\x05\x00',
      '\xa0\x03\x02\x01\x02',
      '\x17\x0d',
      '\x04\x00',
    ],
    async read(input) {
      readEach([() => void parsePinnedCertificates(textOf(input))], [TimestampError]);
      assertSame('an altered time-stamp says another time', await readStamp(input), await STAMPED);
    },
    refusals: [TimestampError],
  },
  {
    name: 'notes',
    seeds: [`${SUITE}/receipts/*.tlog-proof`],
    words: NOTE_WORDS,
    async read(input) {
      const text = textOf(input);
      readEach(
        NOTES.map((read) => read(text)),
        [NoteError, WitnessError],
      );
      const checks = await verifyReceipt(text, text, VKEYS, verifySignature);
      if (checks.every(({ outcome }) => outcome === 'PASS')) throw new Fault('a text vouches for itself');
    },
    refusals: [],
  },
  {
    name: 'tiles',
    seeds: [`${SUITE}/tlog/tile/**/79`],
    words: ['tile/', 'entries/', 'x000/', '/000', '.p/', '256', '255', '\x00\x00', '\xff\xff'],
    async read(input) {
      const text = textOf(input);
      const path = inverse(parseTilePath, ({ level, index, width }) => formatTilePath(level, index, width));
      readEach([path(text)], [MerkleError]);
      await readTiles(input);
    },
    refusals: [],
  },
  {
    name: 'policies',
    words: [
      'log ',
      'witness ',
      'group ',
      'quorum ',
      'none',
      'all',
      'any',
      '\n',
      '\t',
      '#',
      '999999',
      '"anchors":[',
      '"witness_policy":"',
    ],
    read(input) {
      const text = textOf(input);
      const asked = () => void putTrustPolicyRequest.safeParse(parseJsonText(text));
      readEach([() => void parseWitnessPolicy(text), asked], [WitnessPolicyError, JsonError]);
    },
    refusals: [],
  },
  {
    name: 'bundles',
    seeds: [`${SUITE}/bundles/*.json`, `${SUITE}/bundles-v2/*.json`, `${SUITE}/runs/*.proof.json`],
    words: [
      'null',
      '[]',
      '{}',
      '-1',
      '1e21',
      '""',
      '"1970-01-01T00:00:00Z"',
      '"format"',
      '"answer-evidence-bundle/v2"',
      '\\u0000',
    ],
    async read(input) {
      const proof = () => void readReconciliationProof(parseJson(input));
      readEach([proof], [JsonError, BundleFormatError]);
      await readBundle(input);
    },
    refusals: [JsonError, BundleFormatError],
  },
  {
    name: 'packs',
    words: [
      '<script type="application/json" id="bundle-1">',
      '</script>',
      'bundle-999999999',
      '{"format":',
      '<!--',
      '<',
    ],
    read(input) {
      const differences = comparePack({ answer_log_ids: [RECORD] }, input);
      if (differences.length === 0) throw new Fault('a pack is taken for one of a record that it does not have');
    },
    refusals: [],
  },
];
