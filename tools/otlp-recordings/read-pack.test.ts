import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readPack } from './read-pack.ts';

const HERE = import.meta.dirname;

/** Reads a pack as the recorder does, and writes another one. */
const REWRITE = `
import pathlib, sys
from packs import read_pack, write_pack
pack = pathlib.Path(sys.argv[1])
if len(sys.argv) > 3:
    write_pack(pathlib.Path(sys.argv[2]), {**read_pack(pack), sys.argv[3]: [("logs", "json", b"\\n{}\\n")]})
else:
    write_pack(pathlib.Path(sys.argv[2]), read_pack(pack))
`;

function rewrite(pack: string, ...given: readonly string[]): string {
  const target = join(mkdtempSync(join(tmpdir(), 'pack-')), 'rewritten.otlp');
  execFileSync('python3', ['-B', '-c', REWRITE, pack, target, ...given], { cwd: HERE });
  return target;
}

const packs = globSync('recordings/*.otlp', { cwd: HERE }).map((pack) => join(HERE, pack));
const pack = join(HERE, 'recordings/langfuse-js.otlp');

describe('a pack of recordings', () => {
  it('has its scenarios in the order of their names, and at least one request of each', () => {
    for (const file of packs) {
      const scenarios = readPack(file);
      expect([...scenarios.keys()]).toEqual([...scenarios.keys()].sort());
      expect([...scenarios.values()].every((requests) => requests.length > 0)).toBe(true);
    }
  });

  it('is written by the recorder as it is read here', () => {
    expect(readFileSync(rewrite(pack))).toEqual(readFileSync(pack));
  });

  it('keeps the other scenarios byte for byte when one is recorded anew', () => {
    const before = readPack(pack);
    const [first = ''] = before.keys();
    const after = readPack(rewrite(pack, first));
    expect([...after.keys()]).toEqual([...before.keys()]);
    expect(after.get(first)).toEqual([{ signal: 'logs', encoding: 'json', body: Buffer.from('\n{}\n') }]);
    for (const [scenario, requests] of before) if (scenario !== first) expect(after.get(scenario)).toEqual(requests);
  });

  it('is refused when it is cut off', () => {
    const cut = join(mkdtempSync(join(tmpdir(), 'pack-')), 'cut.otlp');
    writeFileSync(cut, readFileSync(pack).subarray(0, -1));
    expect(() => readPack(cut)).toThrow('ends within');
  });
});
