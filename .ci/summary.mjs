// Prints the slowest files of a Jest report, what passed only in the second report, if there is one, and the totals.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Where no file had to run there is no report. */
const EMPTY = { testResults: [], numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };

const [first = EMPTY, second] = process.argv
  .slice(2)
  .map((path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined));

const files = first.testResults.map(({ name, startTime, endTime }) => ({
  name,
  seconds: (endTime - startTime) / 1000,
}));
for (const { name, seconds } of files.sort((a, b) => b.seconds - a.seconds).slice(0, 10))
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${relative(process.cwd(), name)}`);

/** Files that could not be loaded count as one failure each. */
const failuresOf = ({ numFailedTests, numRuntimeErrorTestSuites }) => numFailedTests + numRuntimeErrorTestSuites;
const passedOf = ({ testResults }) =>
  testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === 'passed').length;

if (second === undefined) console.log(`${first.numPassedTests} passed, ${failuresOf(first)} failed`);
else {
  for (const { name, status } of second.testResults)
    console.log(
      `${status !== 'failed' ? 'passed only when it ran again' : 'failed twice'}: ${relative(process.cwd(), name)}`,
    );
  const repeated = new Set(second.testResults.map(({ name }) => name));
  const others = first.testResults.filter(({ name }) => !repeated.has(name));
  console.log(`${passedOf({ testResults: others }) + passedOf(second)} passed, ${failuresOf(second)} failed`);
}
