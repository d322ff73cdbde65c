import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { SNIPPET_NAMES, SNIPPETS } from './snippets.ts';

const QUICKSTART = new URL('../../../../../docs/quickstart/', import.meta.url);
const pages = await Promise.all((await readdir(QUICKSTART)).map((file) => readFile(new URL(file, QUICKSTART), 'utf8')));
const OTHER_NAME = 'bot\'s "new" $HOME';

describe('the lines for a first record', () => {
  it('have the install commands of the quickstart', () => {
    const commands = SNIPPET_NAMES.flatMap((name) => SNIPPETS[name].install ?? []);
    expect(commands.length).toBeGreaterThan(3);
    expect(commands.filter((command) => !pages.some((page) => page.includes(`\n${command}\n`)))).toEqual([]);
  });

  it('import what the quickstart imports', () => {
    const imports = SNIPPET_NAMES.flatMap((name) =>
      SNIPPETS[name]
        .lines('support-bot')
        .split('\n')
        .filter((line) => /^(?:import|from) .*(?:@answer-evidence|answer_evidence)/.test(line)),
    );
    expect(imports.length).toBeGreaterThan(4);
    expect(imports.filter((line) => !pages.some((page) => page.includes(line)))).toEqual([]);
  });

  it.each(SNIPPET_NAMES)('name an application that is no identifier in %s without a way out of its quotes', (name) => {
    const lines = SNIPPETS[name].lines(OTHER_NAME);
    const quoted = [JSON.stringify(OTHER_NAME), JSON.stringify(OTHER_NAME).replaceAll("'", String.raw`'\''`)];
    expect([...quoted, String.raw`'bot'\''s "new" $HOME'`].some((text) => lines.includes(text))).toBe(true);
  });
});
