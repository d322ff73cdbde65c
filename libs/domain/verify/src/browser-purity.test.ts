import { resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { bundleOf, logViewOf, receiptOf, trustOf } from '../fixtures/bundles.ts';
import { verifySignature } from '../fixtures/signer.ts';
import { createWorkedLog } from '../fixtures/worked-log.ts';
import { verifyBundle } from './index.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');

/**
 * What a third party reads to trust the verifier, and nothing else: the formats and the rules by which they are made.
 * Neither the write path (`ledger`) nor the audit of a database is among them.
 */
const PACKAGES = [
  'commitments',
  'digest',
  'encoding',
  'lifecycle',
  'merkle',
  'note',
  'reconciliation',
  'rekor',
  'verify',
];

const built = await build({
  stdin: { contents: `export * from '@answer-evidence/verify';`, resolveDir: import.meta.dirname },
  absWorkingDir: ROOT,
  bundle: true,
  write: false,
  metafile: true,
  format: 'iife',
  globalName: 'verifier',
  platform: 'browser',
  conditions: ['browser'],
  logLevel: 'silent',
});

describe('the verifier in a browser', () => {
  it('is made of the published rules alone, and of zod, in which the contracts are written', () => {
    const inputs = Object.keys(built.metafile.inputs).filter((input) => input !== '<stdin>');
    const folders = new Set(inputs.map((input) => input.replace(/\/(src|v4|package\.json|[^/]+\.c?js)(\/.*)?$/, '')));
    expect([...folders].sort()).toEqual(
      [...PACKAGES.map((name) => `libs/domain/${name}`), 'libs/contracts', 'node_modules/zod'].sort(),
    );
    expect(inputs.length).toBeGreaterThan(40);
    expect(inputs).toContain('libs/domain/digest/src/index.browser.ts');
    expect(inputs).not.toContain('libs/domain/digest/src/index.ts');
  });

  it('needs no built-in module of Node', () => {
    const imports = Object.values(built.metafile.inputs).flatMap((input) => input.imports);
    expect(imports.filter((imported) => imported.external === true || imported.path.startsWith('node:'))).toEqual([]);
    expect(built.errors).toEqual([]);
  });

  it('comes to the same results as in Node, with web globals only', async () => {
    const { ledger, correctedId, keyedId, redactedId } = await createWorkedLog();
    const globals = { TextEncoder, TextDecoder, URL, verifySignature };
    const context = createContext({ ...globals, input: '', log: logViewOf(ledger) });
    runInContext(`${built.outputFiles[0]?.text ?? ''}; globalThis.verifier = verifier;`, context);
    for (const id of [correctedId, keyedId, redactedId]) {
      const bundle = bundleOf(ledger, id);
      const receipt = receiptOf(ledger, bundle.record.leaf_index);
      const trust = trustOf(ledger);
      context['input'] = JSON.stringify({ bundle, receipt, trust });
      const inBrowser: unknown = await runInContext(
        `(async () => {
          const { bundle, receipt, trust } = JSON.parse(input);
          return JSON.stringify(await verifier.verifyBundle(bundle, trust, { verifySignature, receipt, log }));
        })()`,
        context,
      );
      const inNode = await verifyBundle(bundle, trust, { verifySignature, receipt, log: logViewOf(ledger) });
      expect(inBrowser).toBe(JSON.stringify(inNode));
      expect(inNode.checks.filter((check) => check.outcome === 'FAIL')).toEqual([]);
    }
  });
});
