import { describe, expect, it } from '@jest/globals';
import { findUnusedExports } from './unused-exports.ts';

describe('the lint of exports', () => {
  it('names what no other file names, and nothing that one does', () => {
    const files = [
      { path: 'a.ts', text: 'export const used = 1;\nexport type Alone = string;\nexport async function alone() {}\n' },
      { path: 'b.ts', text: "import { used } from './a.ts';\nconst own = used;\n" },
    ];
    expect(findUnusedExports(files)).toEqual(['a.ts: Alone', 'a.ts: alone']);
  });
});
