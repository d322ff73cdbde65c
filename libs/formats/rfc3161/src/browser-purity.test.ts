import { resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { CRAFTED_DIGEST, CRAFTED_NONCE, type Crafter, openCrafter } from '@answer-evidence/testing';
import { verifyTimestamp } from './index.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');

const built = await build({
  stdin: { contents: `export * from '@answer-evidence/rfc3161';`, resolveDir: import.meta.dirname },
  absWorkingDir: ROOT,
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  format: 'iife',
  globalName: 'rfc3161',
  platform: 'browser',
  conditions: ['browser'],
  logLevel: 'silent',
});

let crafter: Crafter;
beforeAll(async () => {
  crafter = await openCrafter();
});
afterAll(() => crafter.close());

describe('time-stamps in a browser', () => {
  it('are verified by this library, the encodings of the domain and an ASN.1 reader, in less than 105 KB', () => {
    const inputs = Object.keys(built.metafile.inputs).filter((input) => input !== '<stdin>');
    const known = /^(libs\/(domain\/encoding|formats\/rfc3161)\/|node_modules\/(asn1js|@peculiar\/utils)\/)/;
    expect(inputs.filter((input) => !known.test(input))).toEqual([]);
    expect(built.outputFiles[0]?.contents.length).toBeLessThan(105_000);
  });

  it('need no built-in module of Node', () => {
    const imports = Object.values(built.metafile.inputs).flatMap((input) => input.imports);
    expect(imports.filter((imported) => imported.external === true || imported.path.startsWith('node:'))).toEqual([]);
    expect(built.errors).toEqual([]);
  });

  it('come to the same results as in Node, with web globals only', async () => {
    const globals = { TextEncoder, TextDecoder, DOMException, crypto, Uint8Array, ArrayBuffer };
    const context = createContext(globals);
    runInContext(`${built.outputFiles[0]?.text ?? ''}; globalThis.rfc3161 = rfc3161;`, context);
    const expectation = { digest: CRAFTED_DIGEST, nonce: CRAFTED_NONCE, rootsPem: [crafter.rootPem] };
    context['expectation'] = expectation;
    const run = `(async () => {
      try {
        return JSON.stringify(await rfc3161.verifyTimestamp(response, expectation));
      } catch (error) {
        return error.fault ?? String(error);
      }
    })()`;
    const good = await crafter.craft();
    context['response'] = good;
    expect(await runInContext(run, context)).toBe(JSON.stringify(await verifyTimestamp(good, expectation)));
    context['response'] = await crafter.craft({ hash: 'sha1' });
    expect(await runInContext(run, context)).toBe('unsupported_algorithm');
    context['response'] = await crafter.craft({ tstInfo: { digest: new Uint8Array(32) } });
    expect(await runInContext(run, context)).toBe('digest_mismatch');
  });
});
