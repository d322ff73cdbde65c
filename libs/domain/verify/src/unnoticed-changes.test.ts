import { expect, it } from '@jest/globals';
import { formatEntry } from '@answer-evidence/commitments';
import {
  type JsonValue,
  type ProofBundle,
  proofBundle,
  type ReconciliationProof,
  type TrustFile,
  trustFile,
} from '@answer-evidence/contracts';
import { canonicalize, concatBytes, formatHex, utf8 } from '@answer-evidence/encoding';
import { formatTilePath, leafHash } from '@answer-evidence/merkle';
import { NoteError, parseCheckpoint, parseNote, type VerifySignature } from '@answer-evidence/note';
import { formatReferenceLine, parseReferenceLine } from '@answer-evidence/reconciliation';
import { type Alteration, changesOf } from '../fixtures/alterations.ts';
import { attest } from '../fixtures/attested-bundle.ts';
import { bundleOf, receiptOf, trustOf } from '../fixtures/bundles.ts';
import { createEvidenceLog } from '../fixtures/evidence-log.ts';
import { randomTexts, randomValues } from '../fixtures/random-changes.ts';
import { createReconciledLog } from '../fixtures/reconciled-log.ts';
import { verifySignature as verifyEachTime } from '../fixtures/signer.ts';
import { trustChangesOf, withOtherLog } from '../fixtures/trust-changes.ts';
import { findUnnoticed, readUnnoticedRows } from '../fixtures/unnoticed-rows.ts';
import { createWorkedLog } from '../fixtures/worked-log.ts';
import {
  BundleFormatError,
  createTlogView,
  verifyBundle,
  type VerifyOptions,
  verifyReceipt,
  verifyReconciliation,
} from './index.ts';

/** A file that was changed, and whether anything fails for it. */
type Change = Pick<Alteration, 'path' | 'how'> & {
  readonly file: 'bundle' | 'trust' | 'run' | 'receipt' | 'log';
  readonly fails: () => Promise<boolean>;
};

/** Most changes leave the signatures as they are. */
const signatures = new Map<string, boolean | Promise<boolean>>();
const verifySignature: VerifySignature = (...parts) => {
  const key = parts.map((part) => formatHex(part)).join(' ');
  const result = signatures.get(key) ?? verifyEachTime(...parts);
  signatures.set(key, result);
  return result;
};

async function hasFailure(
  verify: () => Promise<{ readonly checks: readonly { readonly outcome: string }[] }>,
): Promise<boolean> {
  try {
    return (await verify()).checks.some(({ outcome }) => outcome === 'FAIL');
  } catch (error) {
    // Both commands say so and end with 1 or 2.
    if (error instanceof BundleFormatError || error instanceof NoteError) return true;
    throw error;
  }
}

const REFUSED = { path: '', how: 'refused', fails: () => Promise.resolve(true) } as const;

/** Every change of a JSON file, and random ones of its text. */
function* changesOfJson(whole: JsonValue, seed: string): Generator<Alteration | 'refused'> {
  yield* changesOf(whole);
  yield* randomValues(whole, 100, seed);
}

type Attested<Shown> = { readonly bundle: Shown; readonly trust: TrustFile; readonly options: VerifyOptions };

function attestAll<Shown extends ProofBundle | ReconciliationProof>(plain: Shown, pins: TrustFile): Attested<Shown> {
  const attested = attest(plain, pins);
  return { ...attested, options: { ...attested.options, verifySignature } };
}

/** The changes of a bundle or proof, and those of the two kinds of trust files that anchors can be pinned in. */
function* changesOfEvidence<Shown extends ProofBundle | ReconciliationProof>(
  file: 'bundle' | 'run',
  { bundle, trust, options }: Attested<Shown>,
  verify: (
    bundle: unknown,
    trust: TrustFile,
    options: VerifyOptions,
  ) => Promise<{ readonly checks: readonly { readonly outcome: string }[] }>,
): Generator<Change> {
  const fails = (shown: unknown, pins: TrustFile) => () => hasFailure(() => verify(shown, pins, options));
  yield { ...REFUSED, file, fails: async () => !(await fails(bundle, trust)()) };
  for (const altered of changesOfJson(bundle, file))
    yield altered === 'refused' ? { ...REFUSED, file } : { ...altered, file, fails: fails(altered.value, trust) };
  const { anchors, anchors_required: _, ...rest } = trust;
  const byRoots: TrustFile = { ...rest, tsa_roots: (anchors ?? []).flatMap(({ certificate_pem: pem }) => pem ?? []) };
  for (const pins of [withOtherLog(trust), byRoots])
    for (const { path, how, value } of trustChangesOf(pins)) {
      // What is no trust file is refused before anything is verified.
      const parsed = trustFile.safeParse(value);
      yield parsed.success
        ? { path, how, file: 'trust', fails: fails(bundle, parsed.data) }
        : { ...REFUSED, file: 'trust' };
    }
}

const { ledger, correctedId, keyedId, redactedId } = await createWorkedLog();
const evidence = await createEvidenceLog();

function* changesOfBundles(): Generator<Change> {
  for (const id of [correctedId, keyedId, redactedId])
    yield* changesOfEvidence('bundle', attestAll(bundleOf(ledger, id), trustOf(ledger)), verifyBundle);
  yield* changesOfEvidence(
    'bundle',
    attestAll(proofBundle.parse(evidence.bundle), trustOf(evidence.ledger)),
    verifyBundle,
  );
}

const run = await createReconciledLog();

function* changesOfRuns(): Generator<Change> {
  const attested = attestAll(run.proof, trustOf(run.ledger));
  const verify = (files: Partial<typeof run.files>) => (proof: unknown, trust: TrustFile, options: VerifyOptions) =>
    verifyReconciliation(proof, { ...run.files, ...files }, trust, options);
  yield* changesOfEvidence('run', attested, verify({}));
  const changed = (path: string, how: string, files: Partial<typeof run.files>): Change => ({
    file: 'run',
    path,
    how,
    fails: () => hasFailure(() => verify(files)(attested.bundle, attested.trust, attested.options)),
  });
  for (const name of ['records', 'findings'] as const) {
    const lines = run.files[name];
    for (const n of lines.keys()) yield changed(`/${name}`, 'dropped', { [name]: lines.toSpliced(n, 1) });
    yield changed(`/${name}`, 'reversed', { [name]: lines.toReversed() });
    for (const [n, line] of lines.entries())
      for (const text of randomTexts(line, 15, `${name} ${n}`))
        yield changed(`/${name}`, 'character', { [name]: lines.with(n, text) });
  }
  const { references } = run.files;
  for (const [n, reference] of references.entries()) {
    yield changed('/references', 'dropped', { references: references.toSpliced(n, 1) });
    yield changed('/references', 'doubled', { references: [...references, reference] });
    for (const { value } of changesOf(JSON.parse(formatReferenceLine(reference)) as JsonValue)) {
      const other = readReference(value);
      if (other !== undefined) yield changed('/references', 'altered', { references: references.with(n, other) });
    }
  }
}

function readReference(value: JsonValue): (typeof run.files.references)[number] | undefined {
  try {
    return parseReferenceLine(canonicalize(value));
  } catch {
    return undefined;
  }
}

function* changesOfReceipts(): Generator<Change> {
  const good = { receipt: receiptOf(ledger, 3), entry: entriesOf()[3] ?? '', vkey: ledger.names.vkey };
  const changed = (path: keyof typeof good, how: string, text: string): Change => {
    const { receipt, entry, vkey }: typeof good = { ...good, [path]: text };
    const verify = async () => ({ checks: await verifyReceipt(receipt, entry, [vkey], verifySignature) });
    return { file: 'receipt', path: `/${path}`, how, fails: () => hasFailure(verify) };
  };
  const lines = good.receipt.split('\n');
  for (const [n, line] of lines.entries()) {
    yield changed('receipt', 'line dropped', lines.toSpliced(n, 1).join('\n'));
    yield changed('receipt', 'line doubled', lines.toSpliced(n, 0, line).join('\n'));
  }
  for (const [name, count] of [
    ['receipt', 700],
    ['entry', 300],
    ['vkey', 150],
  ] as const)
    for (const text of randomTexts(good[name], count, name)) yield changed(name, 'character', text);
}

function entriesOf(): readonly string[] {
  return ledger.tables.ledger_leaves.map(formatEntry);
}

const honest = bundleOf(ledger, correctedId);
const logFiles = fileLog();

/** Every tile of the log that the honest bundle is in. */
function fileLog(): ReadonlyMap<string, Uint8Array> {
  const entries = entriesOf().map(utf8);
  const bundle = concatBytes(...entries.flatMap((bytes) => [Uint8Array.of(bytes.length >> 8, bytes.length), bytes]));
  return new Map([
    [formatTilePath('entries', 0, entries.length), bundle],
    [formatTilePath(0, 0, entries.length), concatBytes(...entries.map(leafHash))],
  ]);
}

/** Each copy of the log that differs in one tile, as read for a bundle. */
function* changesOfLog(shown: ProofBundle): Generator<Change> {
  const checkpoint = parseCheckpoint(parseNote(honest.checkpoint).text);
  for (const [path, bytes] of logFiles) {
    const changed = (how: string, other: Uint8Array | undefined): Change => {
      const read = (asked: string) => Promise.resolve(asked === path ? other : logFiles.get(asked));
      const log = createTlogView(read, checkpoint);
      const fails = () => hasFailure(() => verifyBundle(shown, trustOf(ledger), { verifySignature, log }));
      return { file: 'log', path: `/${path.split('.p')[0] ?? ''}`, how, fails };
    };
    yield changed('removed', undefined);
    yield changed('emptied', new Uint8Array());
    yield changed('extended', concatBytes(bytes, Uint8Array.of(0)));
    for (let cut = 1; cut < bytes.length; cut += 97) yield changed('cut', bytes.slice(0, -cut));
    for (let at = 0; at < bytes.length; at += 23)
      yield changed('bit', bytes.with(at, (bytes[at] ?? 0) ^ (1 << (at % 8))));
  }
}

it('a change that no check fails for is in the table of the formats, and every row of it is needed', async () => {
  const rows = await readUnnoticedRows('unnoticed');
  expect(rows.length).toBeGreaterThan(5);
  const used = new Set<string>();
  const unexplained = new Set<string>();
  const counts: Record<string, number> = {};
  for (const changes of [changesOfBundles(), changesOfRuns(), changesOfReceipts(), changesOfLog(honest)])
    for (const { file, path, how, fails } of changes) {
      counts[file] = (counts[file] ?? 0) + 1;
      if (await fails()) continue;
      const row = findUnnoticed(rows, { file, path, how });
      if (row === undefined) unexplained.add(`${file} ${path} ${how}`);
      else used.add(row.whole);
    }
  expect([...unexplained]).toEqual([]);
  expect(rows.filter(({ whole }) => !used.has(whole))).toEqual([]);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  for (const [file, count] of Object.entries({ bundle: 3_000, trust: 1_000, run: 700, receipt: 1_000, log: 300 }))
    expect({ file, enough: (counts[file] ?? 0) >= count }).toEqual({ file, enough: true });
  expect(total).toBeGreaterThan(7_000);
}, 120_000);

it('an entry that a bundle leaves out is found by every copy of the log that has its tile of entries', async () => {
  const lying = { ...honest, attachments: [] };
  const unnoticed: string[] = [];
  for (const { path, how, fails } of changesOfLog(lying)) if (!(await fails())) unnoticed.push(`${path} ${how}`);
  expect(unnoticed).toEqual(['/tile/entries/000 removed']);
});
