import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { findObstacles, type Readiness } from './find-obstacles.ts';
import { readIdentity } from './identity.ts';
import { readNotes } from './notes.ts';
import { findDifferences, findUnkept, openRepository } from './places.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { paths, read } = openRepository(ROOT);
const OWNED = {
  version: '7.8.9-rc.1',
  repository: 'https://code.example/evidence',
  homepage: 'https://evidence.example',
  keywords: ['ledger'],
};

describe('what the product says of itself', () => {
  it('is the same in every place, and no other file names a version', () => {
    expect([...findDifferences(readIdentity(), paths, read).keys()]).toEqual([]);
    expect(findUnkept(readIdentity(), paths, read)).toEqual([]);
  });

  it('is written everywhere by one command, which changes nothing when it is run again', () => {
    const written = findDifferences(OWNED, paths, read);
    const after = (path: string) => written.get(path) ?? read(path);
    expect(findDifferences(OWNED, paths, after).size).toBe(0);
    const version = readIdentity().version;
    for (const path of [
      'package.json',
      'libs/contracts/package.json',
      'packages/sdk/package.json',
      'docker-compose.yml',
      'docs/operations/kubernetes.md',
    ])
      expect([path, after(path).includes(OWNED.version), after(path).includes(`answer-evidence:${version}`)]).toEqual([
        path,
        true,
        false,
      ]);
    expect(after('packages/python/pyproject.toml')).toContain(
      '[project.urls]\nHomepage = "https://evidence.example"\nRepository = "https://code.example/evidence"\n\n[project.scripts]',
    );
    expect(after('deploy/chart/Chart.yaml')).toContain(
      'home: https://evidence.example\nsources: [https://code.example/evidence]\nkeywords: [ledger]\nannotations:',
    );
    expect(after('Dockerfile')).toContain('org.opencontainers.image.source="https://code.example/evidence" \\\n');
    // And back: nothing of an owner stays.
    expect([...findDifferences(readIdentity(), paths, after).keys()].toSorted()).toEqual(
      [...written.keys()].toSorted(),
    );
    expect(findDifferences(readIdentity(), paths, after).get('Dockerfile')).toBe(read('Dockerfile'));
  });

  it('is found where a place differs, or where a file names a version that nothing keeps', () => {
    const other = (path: string) => read(path).replace('"version": "0.', '"version": "9.');
    expect([...findDifferences(readIdentity(), paths, other).keys()]).toContain('libs/contracts/package.json');
    const { version } = readIdentity();
    const unkept = (tag: string) => findUnkept({ ...OWNED, version }, ['docs/new.md'], () => `answer-evidence:${tag}`);
    expect(unkept(version)).toEqual(['docs/new.md']);
    expect(unkept('9.8.7')).toEqual([]);
  });

  it.each([
    ['a version of another form', { version: '1.0' }, /such as 1\.2\.3/],
    ['a repository without https', { version: '1.0.0', repository: { url: 'git@code.example:x' } }, /https/],
  ])('is refused with %s', (_, manifest, message) => {
    expect(() => readIdentity(JSON.stringify(manifest))).toThrow(message);
  });

  it('takes the address of a repository in the form of npm', () => {
    const manifest = { version: '1.0.0', repository: { url: 'git+https://code.example/evidence.git' } };
    expect(readIdentity(JSON.stringify(manifest))).toMatchObject({ repository: OWNED.repository });
  });
});

describe('the notes of a release', () => {
  it('are its section of the changelog', () => {
    const changelog = '# Changelog\n\n## [1.1.0] - 2030-01-31\n\n### A\n\n- a\n\n## [1.0.0]\n\n- b\n';
    expect(readNotes(changelog, '1.1.0')).toEqual({ text: '### A\n\n- a\n', date: '2030-01-31' });
    expect(readNotes(changelog, '1.0.0')).toEqual({ text: '- b\n', date: undefined });
    expect(() => readNotes(changelog, '2.0.0')).toThrow(/no section/);
    expect(() => readNotes('## [2.0.0]\n\n## [1.0.0]\n', '2.0.0')).toThrow(/says nothing/);
  });

  it('are there for the version of this repository', () => {
    const { text } = readNotes(readFileSync(`${ROOT}CHANGELOG.md`, 'utf8'), readIdentity().version);
    expect(text.split('\n').length).toBeGreaterThan(30);
  });
});

describe('a release', () => {
  const ready: Readiness = {
    identity: OWNED,
    notes: { text: 'x', date: '2030-01-31' },
    base: 'base.tar',
    sign: 'key',
    tags: ['v7.8.9-rc.1'],
    isClean: true,
    unsteady: '# The files that ...\n',
  };

  it('is published when nothing is left to do', () => {
    expect(findObstacles(ready)).toEqual([]);
  });

  it.each([
    ['the address of its sources', { identity: { ...OWNED, repository: undefined } }],
    ['its day', { notes: { text: 'x', date: undefined } }],
    ['a base for the image', { base: undefined }],
    ['a key', { sign: undefined }],
    ['its tag', { tags: ['v1.0.0'] }],
    ['a clean tree', { isClean: false }],
    ['tests that pass at once', { unsteady: 'e2e/otlp.test.ts\n' }],
  ])('is not published without %s', (_, missing) => {
    expect(findObstacles({ ...ready, ...missing })).toHaveLength(1);
  });
});
