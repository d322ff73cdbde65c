import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { JsonError, parseJsonText } from '@answer-evidence/encoding';
import { verifyTimestampOver } from '@answer-evidence/rfc3161';
import { type BundleVerification, describeWindow, verifyBundle } from '@answer-evidence/verify';
import { runVerifier } from '../../apps/cli/src/run-verifier.ts';
import { createMemoryIo } from '../../apps/cli/src/testing/memory-io.ts';
import { readCases } from '../../conformance/run.mjs';
import { verifySignature } from '../../libs/domain/verify/fixtures/signer.ts';
import { describeWithTools, openPythonVerifier } from './python-verifier.ts';

/** Hundreds of time-stamps are verified, on machines of any speed. */
const TIMEOUT_MS = 300_000;
const FROZEN = join(import.meta.dirname, '../frozen/v1');
const SUITE = join(import.meta.dirname, '../../conformance/v2');
const folder = mkdtempSync(join(tmpdir(), 'windows-'));
const verifier = openPythonVerifier();
afterAll(async () => {
  await verifier.close();
  rmSync(folder, { recursive: true });
});

type Texts = { readonly bundle: string; readonly trust: string };
const text = (...path: readonly string[]) => readFileSync(join(FROZEN, ...path), 'utf8');
const trust = text('trust', 'trust.json');
const issued = readdirSync(join(FROZEN, 'bundles')).map((name): [string, Texts] => [
  name,
  { bundle: text('bundles', name), trust },
]);
const drawn = [...readCases(SUITE)].flatMap(({ id, given, expected }): [string, Texts][] => {
  const files = given.files as Partial<Texts>;
  if (given.kind !== 'bundle' || expected === undefined) return [];
  return [[id, { bundle: files.bundle ?? '', trust: files.trust ?? '' }]];
});

async function ours({ bundle, trust: pins }: Texts): Promise<BundleVerification> {
  return verifyBundle(parseJsonText(bundle), JSON.parse(pins), {
    verifySignature,
    verifyTimestamp: verifyTimestampOver,
  });
}

async function theirs(texts: Texts, ...more: readonly string[]): Promise<string> {
  const [bundle, pins] = [join(folder, 'bundle.json'), join(folder, 'trust.json')];
  writeFileSync(bundle, texts.bundle);
  writeFileSync(pins, texts.trust);
  return (await verifier.run([bundle, '--trust', pins, ...more])).stdout;
}

/** A pack of bundles, without the program of its page. */
function packOf(bundles: readonly string[]): string {
  const names = bundles.map((_, n) => `bundle-${n + 1}`);
  const { origin } = JSON.parse(bundles[0] ?? '');
  const manifest = {
    format: 'answer-evidence-pack/v1',
    made_at: '2026-11-22T22:00:00.000000Z',
    origin,
    bundles: names,
  };
  const parts = [['pack', JSON.stringify(manifest)], ['trust', trust], ...names.map((name, n) => [name, bundles[n]])];
  const written = parts.map(([id, value = '']) => {
    const escaped = value.replaceAll('<', String.raw`\u003c`);
    return `<script type="application/json" id="${id}">${escaped}</script>\n`;
  });
  return `<!doctype html>\n${written.join('')}`;
}

/** The times that a failure names. */
const timesIn = (detail: string) => detail.match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? [];

/** What both say of a bundle, beside the outcomes of its checks; they must agree. */
async function compare(name: string, texts: Texts): Promise<BundleVerification | undefined> {
  const printed = await theirs(texts, '--output', 'json');
  const mine = await ours(texts).catch((error: unknown) => {
    if (!(error instanceof JsonError)) throw error;
  });
  // What is no JSON is no bundle: nothing is said of it.
  expect([name, printed === '']).toEqual([name, mine === undefined]);
  if (mine === undefined) return undefined;
  const { file: _, notices: __, checks, ...said } = JSON.parse(printed);
  const { checks: own, ...expected } = mine;
  expect({ name, ...said }).toEqual({ name, ...expected });
  for (const { check, outcome, detail } of own) {
    if (outcome !== 'FAIL' || !['external_anchor', 'witness_cosignatures'].includes(check)) continue;
    const found = checks.find((one: any) => one.check === check);
    expect([name, timesIn(found.detail)]).toEqual([name, timesIn(detail)]);
  }
  return mine;
}

describeWithTools('a verifier that shares nothing with ours', () => {
  it(
    'says of every bundle the same tree, keys, anchoring and window, and names the same times that contradict',
    async () => {
      const found: BundleVerification[] = [];
      for (const [name, texts] of [...issued, ...drawn]) {
        const both = await compare(name, texts);
        if (both !== undefined) found.push(both);
      }
      const bounded = found.filter(({ sequenced }) => sequenced.not_later_than !== null);
      expect(bounded.length).toBeGreaterThan(20);
      expect(bounded.length).toBeLessThan(found.length);
      expect(new Set(found.map(({ anchoring }) => anchoring))).toEqual(
        new Set(['ANCHORED', 'PENDING', 'NOT_ANCHORED']),
      );
      const details = found.flatMap(({ checks }) => checks.map(({ detail }) => timesIn(detail).length));
      expect(details).toContain(2);
    },
    TIMEOUT_MS,
  );

  it.each(issued)('shows people the same window: %s', async (_, texts) => {
    const { stated, after, notLaterThan } = describeWindow((await ours(texts)).sequenced);
    const lines = (await theirs(texts)).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        `recorded at: ${stated}`,
        `sequenced after: ${after}`,
        `and not later than: ${notLaterThan}`,
      ]),
    );
  });

  it('shows the window of each record of a pack, as ours does', async () => {
    const vouched = '2026-11-22T21:22:12.494000Z (anchor authority)';
    const nobody = "- (nobody vouches for this end: it is the operator's word)";
    const page = packOf([text('bundles', 'both.json'), text('bundles', 'pending.json')]);
    const [pack, pins] = [join(folder, 'pack.html'), join(folder, 'trust.json')];
    writeFileSync(pack, page);
    writeFileSync(pins, trust);
    const { io, stdout } = createMemoryIo({ files: { '/pack.html': page, '/trust.json': trust } });
    await runVerifier(['/pack.html', '--trust', '/trust.json'], io);
    const shown = [stdout(), (await verifier.run([pack, '--trust', pins])).stdout];
    const ends = (name: string) =>
      shown.map((printed) => [...printed.matchAll(new RegExp(`^${name}:? +(.*)$`, 'gm'))].map(([, end]) => end));
    expect(ends('and not later than')).toEqual([
      [vouched, nobody],
      [vouched, nobody],
    ]);
    // The tree of the first bundle ends before the second record, and the same witnesses cosigned both.
    expect(ends('sequenced after')).toEqual([
      [nobody, vouched],
      [nobody, vouched],
    ]);
    for (const recorded of ends('recorded at')) {
      expect(recorded).toHaveLength(2);
      for (const at of recorded) expect(at).toMatch(/^2026-\S+Z, the operator's word$/);
    }
  });
});
