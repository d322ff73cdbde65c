import { readFile } from 'node:fs/promises';
import * as z from 'zod';

const report = z.strictObject({
  /** Issues, advisories or sections of a standard, each once in all rows. */
  sources: z.array(z.string().min(1)).min(1),
  /** The fault in a line, as a kind that others may be of. */
  kind: z.string().min(10).max(120),
  /** Files of tests, from the root. */
  tests: z.array(z.string().regex(/\.test\.ts$|\/test_\w+\.py$/)),
  /** What is left of it, where no test holds all of it. */
  open: z.string().min(10).optional(),
});

/** A fault that was reported in public, and what holds it here. */
type Report = z.infer<typeof report>;

/** All rows. Throws for one that has another form. */
export async function readReports(): Promise<readonly Report[]> {
  return z.array(report).parse(JSON.parse(await readFile(new URL('reports.json', import.meta.url), 'utf8')));
}

/** What runs the tests of these rows: those in Python run within one file of the end-to-end tests. */
export function testsOf(reports: readonly Report[]): readonly string[] {
  const files = reports.flatMap(({ tests }) => tests.map((test) => (test.endsWith('.py') ? PYTHON_TESTS : test)));
  return [...new Set(files)].sort();
}

/** Runs the tests of the Python package. */
const PYTHON_TESTS = 'e2e/python-package.test.ts';
