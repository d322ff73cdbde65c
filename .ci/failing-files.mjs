// Prints the files of a Jest report in which something failed.
import { readFileSync } from 'node:fs';

const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
for (const { name, status } of testResults) if (status === 'failed') console.log(name);
