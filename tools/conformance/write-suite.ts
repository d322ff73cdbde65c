import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { utf8 } from '@answer-evidence/encoding';
import type { Verdict } from '../../conformance/run.mjs';
import type { Draft } from './draft-suite.ts';
import type { ArtefactSet } from './list-sets.ts';

/** The versions of the formats that the suite is of (docs/formats/README.md, "Versions"). */
const FORMATS = {
  bundle: 'answer-evidence-bundle/v1',
  bundle_without_texts: 'answer-evidence-bundle/v2',
  trust: 'answer-evidence-trust/v1',
  proof: 'answer-evidence-reconciliation/v1',
  receipt: 'c2sp.org/tlog-proof@v1',
  rules: 2,
};

/**
 * The files of the suite, with the verdicts on its sets and changes in their order. A change states the outcomes that
 * differ from those of the set.
 */
export function formatSuite(draft: Draft, verdicts: readonly Verdict[]): ReadonlyMap<string, Uint8Array> {
  const { sets, changes, seed } = draft;
  const whole = new Map(sets.map(({ name }, n) => [name, verdicts[n]?.outcomes ?? {}]));
  const lines = changes.map((change, n) => {
    const { refused, outcomes = {} } = verdicts[sets.length + n] ?? {};
    const intact = whole.get(change.set) ?? {};
    const others = Object.entries(outcomes).filter(([check, outcome]) => intact[check] !== outcome);
    return `${JSON.stringify({ ...change, ...(refused ? { refused } : { outcomes: Object.fromEntries(others) }) })}\n`;
  });
  const files = new Map([...draft.files, ['changes.jsonl', utf8(lines.join(''))]]);
  const manifest = {
    format: 'answer-evidence-conformance/v1',
    formats: FORMATS,
    seed,
    cases: sets.length + changes.length,
    sets: sets.map((set) => ({ ...describeSet(set), outcomes: whole.get(set.name) })),
    sha256: Object.fromEntries(
      [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, bytes]) => [path, hash(bytes)]),
    ),
  };
  return files.set('manifest.json', utf8(`${JSON.stringify(manifest, undefined, 2)}\n`));
}

function describeSet({ name, kind, files, vkeys, log }: ArtefactSet) {
  return {
    name,
    kind,
    files: Object.fromEntries(files.map((file) => [file.name, file.path])),
    ...(vkeys === undefined ? {} : { vkeys }),
    ...(log === undefined ? {} : { log: Object.fromEntries(log.map((path) => [path, `tlog/${path}`])) }),
  };
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Replaces a folder by these files. */
export function writeFolder(folder: string, files: ReadonlyMap<string, Uint8Array>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}
