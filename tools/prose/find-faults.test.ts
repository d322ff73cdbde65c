import { describe, expect, it } from '@jest/globals';
import { findFaults } from './find-faults.ts';

const LONG = 'word '.repeat(30).trim();
const linesOf = (file: string, text: string) => findFaults(file, text).map(({ line }) => line);

describe('the prose of a file', () => {
  it.each([
    ['a comment beyond 120 columns', 'a.ts', `const a = 1;\n// ${LONG}\n`, [2]],
    ['a line of a block comment beyond it', 'a.ts', `/**\n * ${LONG}\n */\n`, [2]],
    ['a paragraph beyond it', 'a.md', `# A\n\n${LONG}\n`, [3]],
    ['a comment of Python beyond it', 'a.py', `x = 1\n# ${LONG}\n`, [2]],
    ['a comment of SQL beyond it', 'a.sql', `select 1;\n-- ${LONG}\n`, [2]],
    ['a refused phrase in a comment', 'a.ts', '// Whoever opens it closes it.\n', [1]],
    ['a refused phrase in a text', 'a.ts', "\nconst text = 'the store is away';\n", [2]],
    ['a refused phrase in a template', 'a.ts', 'const text = `${name} is away`;\n', [1]],
    ['where a page was written', 'a.md', 'There was no cluster where the chart was written.\n', [1]],
    ['a name that says "a batch" for "per batch"', 'a.ts', 'const a = 1;\nconst LINES_A_BATCH = 2;\n', [2]],
    ['a name that says "away" for "unavailable"', 'a.ts', 'const isDatabaseAway = false;\n', [1]],
    ['a name of the way on', 'a.ts', 'const WAY_ON = 1;\n', [1]],
    ['a refused phrase in a table', 'a.md', '| one record an answer |\n', [1]],
  ])('is refused for %s', (_what, file, text, lines) => {
    expect(linesOf(file, text)).toEqual(lines);
  });

  it.each([
    ['code beyond 120 columns', 'a.ts', `const a = '${LONG}';\n`],
    ['a table beyond it', 'a.md', `| ${LONG} |\n`],
    ['a block of code', 'a.md', `\`\`\`\n${LONG} whoever\n\`\`\`\n`],
    ['a link that has no place to break', 'a.md', `- https://example.com/${'a'.repeat(130)}\n`],
    ['a name in code', 'a.ts', 'const whoever = 1;\n'],
    ['what is of one batch', 'a.ts', 'const ENTRIES_OF_A_BATCH = 1;\nconst LINES_PER_BATCH = 2;\n'],
    ['what is taken or turned away', 'a.ts', 'takeAway(turnedAway);\n'],
    ['"there is none"', 'a.md', 'There is none, and there is none of them.\n'],
  ])('is not refused for %s', (_what, file, text) => {
    expect(linesOf(file, text)).toEqual([]);
  });

  it('says what to write instead', () => {
    expect(findFaults('a.md', 'Mend it.')).toEqual([{ line: 1, fault: '"Mend": write "fix"' }]);
  });
});
