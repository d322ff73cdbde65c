import { relative, sep } from 'node:path';
import jestSequencer from '@jest/test-sequencer';

/** What this file needs to know of a test file. */
type TestFile = Parameters<InstanceType<typeof Sequencer>['sort']>[0][number];

/** The folders whose files take longest, in this order. The many short files after them keep all workers busy. */
const FIRST = ['e2e', 'tools', 'packages'];

/** Files that wait most of their time, as for the lock of a killed worker to run out, the longest first. */
export const WAITING = ['sweep-confirm', 'otlp-crash', 'redis-away', 'reconciliation-crash', 'evidence-redaction'];

// The package has types for CommonJS alone; as a module its default is the class itself.
const Sequencer = jestSequencer as unknown as typeof jestSequencer.default;

/**
 * Begins with the long files where nothing is known of an earlier run. By their size, which is all that Jest goes by
 * then, a short file that waits for a foreign program comes last, and one worker has it while the others are idle.
 */
export default class LongestFirst extends Sequencer {
  override sort(tests: TestFile[]): TestFile[] {
    const sorted = super.sort(tests) as TestFile[];
    // Sorting is stable: within a folder the order stays that of Jest.
    const unknown = spread(sorted.filter(isUnknown).sort((one, other) => rankOf(one) - rankOf(other)));
    return sorted.map((test) => (isUnknown(test) ? (unknown.shift() ?? test) : test));
  }
}

/** Puts the files that wait at equal distances among those of `e2e`: side by side they would leave the cores idle. */
function spread(tests: readonly TestFile[]): TestFile[] {
  const waiting = WAITING.flatMap((name) => tests.filter(({ path }) => path.endsWith(`e2e/${name}.test.ts`)));
  const others = tests.filter((test) => !waiting.includes(test));
  const distance = others.filter((test) => rankOf(test) === 0).length / waiting.length;
  // From the last one on, so that what is put in moves no place that is still to come.
  for (const [n, test] of [...waiting.entries()].reverse()) others.splice(Math.floor(n * distance), 0, test);
  return others;
}

/** Whether no earlier run has said how long the file takes. */
function isUnknown({ duration }: TestFile): boolean {
  return duration === undefined;
}

function rankOf({ path, context }: TestFile): number {
  const rank = FIRST.indexOf(relative(context.config.rootDir, path).split(sep)[0] ?? '');
  return rank === -1 ? FIRST.length : rank;
}
