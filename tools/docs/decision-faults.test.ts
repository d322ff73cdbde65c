import { describe, expect, it } from '@jest/globals';
import { findDecisionFaults, isBoundBy } from './decision-faults.ts';

const PATHS = new Set(['libs/a', 'libs/a/b.ts']);

function page({ date = '2026-11-28', status = 'accepted', binds = '`libs/a`' } = {}): string {
  const head = `# 0001. A title\n\nDate: ${date}\n\nStatus: ${status}\n\nBinds: ${binds}\n\n`;
  return `${head}## Context\n\nx\n\n## Decision\n\ny\n`;
}

describe('the form of a decision', () => {
  it.each([
    {},
    { status: 'accepted; its counts are replaced by [0002](0002-b.md)' },
    { status: 'replaced by [0002](0002-b.md)' },
    { binds: '`libs/a`, `libs/a/b.ts`' },
    { binds: '`libs/a`,\n`libs/a/b.ts`' },
  ])('is right as %j', (parts) => {
    expect(findDecisionFaults(page(parts), PATHS)).toEqual([]);
  });

  it.each([
    [{ date: '28 November 2026' }, 'Date: must be a day such as 2026-11-28, not 28 November 2026'],
    [{ date: '2026-02-30' }, 'Date: must be a day such as 2026-11-28, not 2026-02-30'],
    [{ status: 'proposed' }, 'Status: must be accepted, or replaced by a page, not proposed'],
    [{ status: 'replaced' }, 'Status: must be accepted, or replaced by a page, not replaced'],
    [{ binds: 'libs/a' }, 'Binds: must be paths as code spans, separated by commas'],
    [{ binds: '`libs/a` and `libs/a/b.ts`' }, 'Binds: must be paths as code spans, separated by commas'],
    [{ binds: '`libs/c`' }, 'Binds: libs/c is not there'],
    [{ binds: '`libs/a`, `libs/a`' }, 'Binds: names a path twice'],
  ])('is not right as %j', (parts, fault) => {
    expect(findDecisionFaults(page(parts), PATHS)).toEqual([fault]);
  });

  it.each(['Date: 2026-11-28\n\n', 'Status: accepted\n\n', 'Binds: `libs/a`\n\n', '## Decision\n'])(
    'is not right without %j',
    (part) => {
      expect(findDecisionFaults(page().replace(part, ''), PATHS)).toHaveLength(1);
    },
  );
});

describe('a decision', () => {
  it('binds the files that it names and those in its folders, and no others', () => {
    const bound = page({ binds: '`libs/a`, `libs/b/c.ts`' });
    const files = ['libs/a/d/e.ts', 'libs/a', 'libs/b/c.ts', 'libs/ab/c.ts', 'libs/b/c.tsx', 'libs/b'];
    expect(files.filter((file) => isBoundBy(bound, file))).toEqual(['libs/a/d/e.ts', 'libs/a', 'libs/b/c.ts']);
  });
});
