import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { proofBundle, type TrustFile, trustFile } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { type Alteration, alterationsOf } from '../fixtures/alterations.ts';
import { bundleOf, trustOf } from '../fixtures/bundles.ts';
import { createEvidenceLog } from '../fixtures/evidence-log.ts';
import { vouchFor } from '../fixtures/vouched-bundle.ts';
import { createWorkedLog } from '../fixtures/worked-log.ts';
import { BundleFormatError, verifyBundle, type VerifyOptions } from './index.ts';

const { ledger, correctedId, redactedId } = await createWorkedLog();
const evidence = await createEvidenceLog();

/** The rows of the table in docs/formats/bundle.md: which places may change without a FAIL, and how. */
async function readRows() {
  const page = await readFile(new URL('../../../../docs/formats/bundle.md', import.meta.url), 'utf8');
  const [, table = ''] = /<!-- table: unnoticed -->\n\n((?:\|.*\n)+)/.exec(page) ?? [];
  const rows = [...table.matchAll(/^\| (trust )?`(\/[^`]*)`([a-z ]*)\|/gm)];
  return rows.map(([whole, trust, place = '', how = '']) => ({
    whole,
    file: trust === undefined ? 'bundle' : 'trust',
    place: new RegExp(`^${place.replaceAll('*', '[0-9]+')}(/|$)`),
    hows: how.trim() === '' ? undefined : how.trim().split(' or '),
  }));
}

async function hasFailure(bundle: unknown, trust: TrustFile, options: VerifyOptions): Promise<boolean> {
  try {
    return (await verifyBundle(bundle, trust, options)).checks.some(({ outcome }) => outcome === 'FAIL');
  } catch (error) {
    if (error instanceof BundleFormatError) return true;
    throw error;
  }
}

it('a change that no check fails for is in the table of the formats, and every row of it is needed', async () => {
  const rows = await readRows();
  expect(rows.length).toBeGreaterThan(5);
  const used = new Set<string>();
  const unexplained: string[] = [];
  let changes = 0;
  const explain = (file: string, { path, how }: Pick<Alteration, 'path' | 'how'>): void => {
    const row = rows.find((one) => one.file === file && one.place.test(path) && one.hows?.includes(how) !== false);
    if (row === undefined) unexplained.push(`${file} ${path} ${how}`);
    else used.add(row.whole);
  };
  const cases = [
    ...[correctedId, redactedId].map((id) => vouchFor(bundleOf(ledger, id), trustOf(ledger))),
    vouchFor(proofBundle.parse(evidence.bundle), trustOf(evidence.ledger)),
  ];
  for (const { bundle, trust, options } of cases) {
    expect(await hasFailure(bundle, trust, options)).toBe(false);
    for (const altered of alterationsOf(parseJsonText(JSON.stringify(bundle)))) {
      changes += 1;
      if (!(await hasFailure(altered.value, trust, options))) explain('bundle', altered);
    }
    const withoutWitnesses = { path: '/witness_policy', how: 'null', value: { ...trust, witness_policy: null } };
    for (const altered of [...alterationsOf(parseJsonText(JSON.stringify(trust))), withoutWitnesses]) {
      // What is no trust file is refused before anything is verified.
      const parsed = trustFile.safeParse(altered.value);
      if (!parsed.success) continue;
      changes += 1;
      if (!(await hasFailure(bundle, parsed.data, options))) explain('trust', altered);
    }
  }
  expect(changes).toBeGreaterThan(1_000);
  expect([...new Set(unexplained)]).toEqual([]);
  expect(rows.filter(({ whole }) => !used.has(whole))).toEqual([]);
});
