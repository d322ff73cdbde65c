import { access, glob, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const SOURCES = fileURLToPath(new URL('../', import.meta.url));
const STYLES = `${dirname(dirname(fileURLToPath(import.meta.resolve('@mantine/core'))))}/styles`;

it('has the styles of every component that a page uses', async () => {
  const imported = await readFile(new URL('./mantine.css', import.meta.url), 'utf8');
  const missing = new Set<string>();
  let count = 0;
  for await (const file of glob('**/*.tsx', { cwd: SOURCES })) {
    const text = await readFile(SOURCES + file, 'utf8');
    for (const [, names = ''] of text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g))
      for (const name of names.split(',').map((part) => part.trim())) {
        count++;
        if ((await hasStyles(name)) && !imported.includes(`/styles/${name}.css'`)) missing.add(name);
      }
  }
  expect(count).toBeGreaterThan(20);
  expect([...missing]).toEqual([]);
});

async function hasStyles(name: string): Promise<boolean> {
  return access(`${STYLES}/${name}.css`).then(
    () => true,
    () => false,
  );
}
