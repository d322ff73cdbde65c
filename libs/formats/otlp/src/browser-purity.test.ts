import { resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { createSdkBatch } from '../fixtures/sdk-batches.ts';
import { readTracesRequest } from './index.ts';

const built = await build({
  stdin: { contents: `export * from '@answer-evidence/otlp';`, resolveDir: import.meta.dirname },
  absWorkingDir: resolve(import.meta.dirname, '../../../..'),
  bundle: true,
  write: false,
  metafile: true,
  format: 'iife',
  globalName: 'otlp',
  platform: 'browser',
  conditions: ['browser'],
  logLevel: 'silent',
});

describe('OTLP in a browser', () => {
  it('is read by this library, the encodings of the domain and the search for a misspelt name alone', () => {
    const inputs = Object.keys(built.metafile.inputs).filter((input) => input !== '<stdin>');
    const others = inputs.filter((input) => !/^libs\/(domain\/encoding|formats\/otlp)\//.test(input));
    expect(others.sort()).toEqual(['libs/contracts/src/nearest-name.ts', 'node_modules/leven/index.js']);
    expect(built.errors).toEqual([]);
  });

  it('comes to the same as in Node, with web globals only', () => {
    const bytes = createSdkBatch('traces', 'protobuf');
    const context = createContext({ TextEncoder, TextDecoder, Uint8Array, DataView, ArrayBuffer, bytes });
    runInContext(`${built.outputFiles[0]?.text ?? ''}; globalThis.batch = otlp.readTracesRequest(bytes);`, context);
    expect(context['batch']).toEqual(readTracesRequest(bytes));
  });
});
