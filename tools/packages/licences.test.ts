import { access, glob, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

type Manifest = {
  readonly name: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
};

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OPEN = 'Apache-2.0';
/** What a third party runs. Everything that these packages import must be open too. */
const FOR_THIRD_PARTIES = [
  'verify',
  'client',
  'app-cli',
  'contracts',
  'package-verify',
  'package-sdk',
  'package-otel',
].map((name) => `@answer-evidence/${name}`);
/** Open folders that are not packages. */
const OPEN_FOLDERS = ['docs/formats', 'packages/python', 'conformance'];

const folders: string[] = [];
for await (const file of glob('{apps,libs,packages}/{*,*/*}/package.json', { cwd: ROOT })) folders.push(dirname(file));
const packages = new Map(
  await Promise.all(
    folders.map(async (folder) => {
      const manifest = JSON.parse(await readFile(`${ROOT}${folder}/package.json`, 'utf8')) as Manifest;
      return [manifest.name, { folder, manifest }] as const;
    }),
  ),
);
const open = [...packages.values()].filter(({ manifest }) => manifest.license === OPEN);

describe('the packages under Apache-2.0', () => {
  it('include everything that a third party runs', () => {
    const closed = FOR_THIRD_PARTIES.filter((name) => packages.get(name)?.manifest.license !== OPEN);
    expect(closed).toEqual([]);
  });

  it('import no package of ours under another licence', () => {
    const closed = open.flatMap(({ manifest }) =>
      Object.keys(manifest.dependencies ?? {})
        .filter((name) => packages.has(name) && packages.get(name)?.manifest.license !== OPEN)
        .map((name) => `${manifest.name} imports ${name}`),
    );
    expect(closed).toEqual([]);
  });

  it('are the folders with a LICENSE file that names it', async () => {
    const licensed: string[] = [];
    for (const folder of [...folders, ...OPEN_FOLDERS]) {
      const file = `${ROOT}${folder}/LICENSE`;
      if (
        !(await access(file).then(
          () => true,
          () => false,
        ))
      )
        continue;
      expect(await readFile(file, 'utf8')).toContain(`SPDX-License-Identifier: ${OPEN}\n`);
      licensed.push(folder);
    }
    expect(licensed.toSorted()).toEqual([...open.map(({ folder }) => folder), ...OPEN_FOLDERS].toSorted());
  });
});
