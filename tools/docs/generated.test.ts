import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { PROBLEM_CODES } from '@answer-evidence/contracts';
import { SECRET_USES, SETTINGS } from '@answer-evidence/runtime';
import { formatConfiguration } from './format-configuration.ts';
import { renderPages } from './render-pages.ts';

const pages = await renderPages();
const textOf = (path: string): string => pages.find((page) => page.path === path)?.text ?? '';

describe('the generated pages', () => {
  it.each(pages)('$path is what `npm run docs:generate` writes', ({ text, present }) => {
    expect(present).toBe(text);
  });

  it('name every setting and every problem code once as a row', () => {
    const rowsOf = (text: string, column: number): (string | undefined)[] =>
      text
        .split('\n')
        .filter((line) => line.startsWith('| ') && line.includes('`'))
        .map((line) => /`(\w+)`/.exec(line.split('|')[column] ?? '')?.[1]);
    const [settings = '', secrets = ''] = textOf('docs/configuration.md').split('\n## Secrets\n');
    expect(rowsOf(settings, 1)).toEqual(Object.keys(SETTINGS));
    expect(rowsOf(secrets, 1)).toEqual(expect.arrayContaining(Object.keys(SECRET_USES)));
    expect(rowsOf(textOf('docs/error-codes.md'), 2).toSorted()).toEqual([...PROBLEM_CODES].sort());
  });

  it('shows the form and the default of a setting, and cuts no cell in two', () => {
    const page = formatConfiguration(
      {
        MODE: { schema: z.enum(['a', 'b']).default('a'), purpose: 'One | two' },
        PORT: { schema: z.string().meta({ description: 'port number' }).optional(), purpose: 'Where' },
      },
      { PORT: { from: 'restart', how: 'Once' } },
    );
    expect(page).toContain('| `MODE` | One \\| two. | `a`, `b` | `a` |');
    expect(page).toContain('| `PORT` | Where. | port number | – |');
    expect(page).toContain('| `PORT` | restart | Once. |');
  });
});
