import { describe, expect, it } from '@jest/globals';
import { findLicenceFaults } from './find-faults.ts';

const HONEST: Readonly<Record<string, string>> = {
  LICENSE: 'the text',
  'packages/python/LICENSE': 'the text',
  'package.json': '{\n  "name": "x",\n  "license": "Apache-2.0",\n}',
  'libs/a/package.json': '{\n  "name": "a",\n  "license": "Apache-2.0"\n}',
  'packages/python/pyproject.toml': '[project]\nlicense = "Apache-2.0"\n',
  'package-lock.json': JSON.stringify({
    packages: {
      '': { license: 'Apache-2.0' },
      'libs/a': { license: 'Apache-2.0' },
      'node_modules/b': { license: 'MIT' },
      'node_modules/a': { link: true },
    },
  }),
};

const find = (changed: Readonly<Record<string, string>>) => {
  const texts: Readonly<Record<string, string>> = { ...HONEST, ...changed };
  return findLicenceFaults(Object.keys(texts), (file) => texts[file] ?? '');
};

describe('the licence of the repository', () => {
  it('is the one of every manifest and of one text', () => {
    expect(find({})).toEqual([]);
  });

  it.each([
    ['a manifest that names none', { 'libs/a/package.json': '{\n  "name": "a"\n}' }],
    ['a manifest that names another', { 'packages/python/pyproject.toml': 'license = "MIT"\n' }],
    ['a chart that names none', { 'deploy/chart/Chart.yaml': 'name: x\n' }],
    ['an image that names another', { Dockerfile: 'LABEL org.opencontainers.image.licenses="MIT"\n' }],
    ['a lock file that names another', { 'package-lock.json': '{"packages":{"":{"license":"MIT"}}}' }],
    ['a second text', { 'libs/a/LICENSE': 'another' }],
    ['a copy that is another text', { 'packages/python/LICENSE': 'another' }],
  ])('is contradicted by %s', (_, changed) => {
    expect(find(changed)).toHaveLength(1);
  });
});
