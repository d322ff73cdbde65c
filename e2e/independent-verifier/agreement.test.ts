import { expect, it } from '@jest/globals';
import { type JsonValue, type TrustFile, trustFile } from '@answer-evidence/contracts';
import { canonicalize, JsonError, parseJsonText } from '@answer-evidence/encoding';
import { formatReferenceLine } from '@answer-evidence/reconciliation';
import { BundleFormatError, verifyBundle, verifyReconciliation } from '@answer-evidence/verify';
import { alterationsOf } from '../../libs/domain/verify/fixtures/alterations.ts';
import { bundleOf, trustOf } from '../../libs/domain/verify/fixtures/bundles.ts';
import { createEvidenceLog } from '../../libs/domain/verify/fixtures/evidence-log.ts';
import { createReconciledLog } from '../../libs/domain/verify/fixtures/reconciled-log.ts';
import { verifyEd25519 } from '../../libs/domain/verify/fixtures/signer.ts';
import { trustChangesOf, withOtherLog } from '../../libs/domain/verify/fixtures/trust-changes.ts';
import { vouchFor } from '../../libs/domain/verify/fixtures/vouched-bundle.ts';
import { createWorkedLog } from '../../libs/domain/verify/fixtures/worked-log.ts';
import { describeWithTools, runPythonVerifier } from './python-verifier.ts';

/** A text that differs from a good one in one place, and the name of the place. */
type Altered = { readonly name: string; readonly text: string };
type Outcomes = Readonly<Record<string, string>>;

/** A trust file that is refused: nothing is verified by it. */
const REFUSED: Outcomes = { trust: 'refused' };

/** What the verifier in Python says of each list of texts. */
function theirs(kind: 'bundle' | 'run', cases: readonly (readonly string[])[]): readonly Outcomes[] {
  const input = cases.map((texts) => `${JSON.stringify(texts)}\n`).join('');
  const { status, stdout, stderr } = runPythonVerifier(['batch', kind], input);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => (parseJsonText(line) ?? REFUSED) as Outcomes);
}

/** Every text that differs in one value or member, and the numbers of the text in other ways of writing. */
function* alteredTexts(whole: JsonValue): Generator<Altered> {
  const text = JSON.stringify(whole);
  yield { name: 'nothing', text };
  for (const { path, how, value } of alterationsOf(whole))
    yield { name: `${path} ${how}`, text: JSON.stringify(value) };
  for (const { 0: found, 1: digits = '', index } of text.matchAll(/(?<=":)(\d+)(?=[,}])/g)) {
    const rest = text.slice(index + found.length);
    for (const other of [
      `"${digits}"`,
      `${digits}.0`,
      `${digits}e0`,
      `-${digits}`,
      '1e400',
      '9007199254740993',
      'true',
    ])
      yield { name: `number ${index} as ${other}`, text: text.slice(0, index) + other + rest };
  }
  const twice = text.replace('{', '{"format":"answer-evidence-bundle/v1",');
  yield { name: 'a member twice', text: twice };
  yield { name: 'a byte order mark', text: `\ufeff${text}` };
  yield { name: 'no end', text: text.slice(0, -1) };
  yield { name: 'too deep', text: text.replace('{', `{"x":${'['.repeat(70)}${']'.repeat(70)},`) };
}

/** Outcomes by check; FAIL for all of them where ours refuses to read, as theirs then says. */
async function ours(
  verify: () => Promise<{ readonly checks: readonly { check: string; outcome: string; detail: string }[] }>,
) {
  try {
    const { checks } = await verify();
    for (const { check, detail } of checks)
      expect([check, detail]).not.toEqual([check, expect.stringMatching('could not be made')]);
    return new Map(checks.map(({ check, outcome }) => [check, outcome]));
  } catch (error) {
    if (error instanceof JsonError || error instanceof BundleFormatError) return undefined;
    throw error;
  }
}

function differences(name: string, own: ReadonlyMap<string, string> | undefined, other: Outcomes): readonly string[] {
  return Object.entries(other)
    .filter(([check, outcome]) => outcome !== (own === undefined ? 'FAIL' : own.get(check)))
    .map(([check, outcome]) => `${name}: ${check} is ${own?.get(check) ?? 'refused'} here and ${outcome} there`);
}

const { ledger, ...ids } = await createWorkedLog();
const evidence = await createEvidenceLog();
const bundles: readonly (readonly [string, JsonValue, TrustFile])[] = [
  ...Object.entries(ids).map(
    ([name, id]) => [name, bundleOf(ledger, id) as unknown as JsonValue, trustOf(ledger)] as const,
  ),
  ['evidence', evidence.bundle, trustOf(evidence.ledger)],
];

/** Thousands of verifications in two languages, on machines of any speed. */
const TIMEOUT_MS = 600_000;

describeWithTools('both verifiers come to the same outcome in every check', () => {
  it.each(bundles)(
    'of a bundle that was altered in one place: %s',
    async (_name, whole, trust) => {
      const altered = [...alteredTexts(whole)];
      const pins = JSON.stringify(trust);
      const others = theirs(
        'bundle',
        altered.map(({ text }) => [text, pins]),
      );
      const found: string[] = [];
      for (const [n, { name, text }] of altered.entries()) {
        const own = await ours(async () => verifyBundle(parseJsonText(text), trust, { verifyEd25519 }));
        found.push(...differences(name, own, others[n] ?? {}));
      }
      expect(altered.length).toBeGreaterThan(200);
      expect(others).toHaveLength(altered.length);
      expect(found).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'of a run whose proof or record set was altered in one place',
    async () => {
      const { ledger: own, proof, files } = await createReconciledLog();
      const trust = trustOf(own);
      const asLines = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
      const references = asLines(files.references.map(formatReferenceLine));
      const text = JSON.stringify(proof);
      const cases = [
        ...[...alteredTexts(proof as unknown as JsonValue)].map((altered) => ({ ...altered, records: files.records })),
        ...[...alterationsOf(parseJsonText(files.records[0] ?? ''))].map(({ path, how, value }) => ({
          name: `record ${path} ${how}`,
          text,
          records: files.records.with(0, canonicalize(value)),
        })),
        { name: 'records reversed', text, records: files.records.toReversed() },
        { name: 'no records', text, records: [] },
      ];
      const others = theirs(
        'run',
        cases.map((one) => [one.text, references, asLines(one.records), JSON.stringify(trust)]),
      );
      const found: string[] = [];
      for (const [n, { name, text: altered, records }] of cases.entries()) {
        const given = { references: files.references, records };
        const outcomes = await ours(async () =>
          verifyReconciliation(parseJsonText(altered), given, trust, { verifyEd25519 }),
        );
        found.push(...differences(name, outcomes, others[n] ?? {}));
      }
      expect(others).toHaveLength(cases.length);
      expect(found).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it.each(['bundle', 'run'] as const)(
    'of a trust file that was altered in one place, and a %s',
    async (kind) => {
      const run = await createReconciledLog();
      const references = run.files.references.map((reference) => `${formatReferenceLine(reference)}\n`).join('');
      const records = run.files.records.map((line) => `${line}\n`).join('');
      // The tokens of the fixtures are not of RFC 3161; the demands for them stay.
      const shown =
        kind === 'bundle'
          ? vouchFor(bundleOf(ledger, ids.correctedId), trustOf(ledger))
          : vouchFor(run.proof, trustOf(run.ledger));
      const evidenceShown = { ...shown.bundle, anchors: [] };
      const text = JSON.stringify(evidenceShown);
      const changes = [...trustChangesOf(withOtherLog(shown.trust))];
      const others = theirs(
        kind,
        changes.map(({ value }) => [text, ...(kind === 'run' ? [references, records] : []), JSON.stringify(value)]),
      );
      const found: string[] = [];
      let refused = 0;
      for (const [n, { path, how, value }] of changes.entries()) {
        const pins = trustFile.safeParse(value);
        const name = `${path} ${how}`;
        const other = others[n] ?? {};
        if (!pins.success) {
          refused += 1;
          if (other !== REFUSED) found.push(`${name}: refused here and not there`);
          continue;
        }
        const own = await ours(async () =>
          kind === 'bundle'
            ? verifyBundle(evidenceShown, pins.data, { verifyEd25519 })
            : verifyReconciliation(evidenceShown, run.files, pins.data, { verifyEd25519 }),
        );
        found.push(...differences(name, own, other));
      }
      expect({ refused: refused > 50, judged: changes.length - refused > 50 }).toEqual({ refused: true, judged: true });
      expect(found).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
