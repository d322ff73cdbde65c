import { access, glob, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LINES_MAX = 15;

const folders: string[] = [];
for await (const file of glob('{apps,libs}/{*,*/*}/package.json', { cwd: ROOT })) folders.push(dirname(file));

describe.each(folders.toSorted())('%s', (folder) => {
  it('has a short README that says what it may import and in which file to start', async () => {
    const readme = await readFile(`${ROOT}${folder}/README.md`, 'utf8');
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(LINES_MAX);
    expect(readme).toMatch(/^# \S.*\n\n\S/);
    expect(readme).toMatch(/^May import: /m);
    const start = /^Start at `(.+?)`/m.exec(readme)?.[1] ?? 'a file that is not named';
    await expect(access(`${ROOT}${folder}/${start}`)).resolves.toBeUndefined();
  });
});
