#!/usr/bin/env node
// Starts the CLI from its sources. A Node that cannot run TypeScript hands over to the one of the repository.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

const installed = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url));

if (process.features.typescript) {
  await import('../src/main.ts');
} else if (existsSync(installed) && process.env.ANSWER_EVIDENCE_HANDED_OVER === undefined) {
  const { status } = spawnSync(installed, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    // Against a circle, should that Node be too old as well.
    env: { ...process.env, ANSWER_EVIDENCE_HANDED_OVER: '1' },
  });
  process.exitCode = status ?? 1;
} else {
  process.stderr.write(
    `answer-evidence needs Node 22.18 or newer, this is ${process.version}: install it, or run npm ci in the repository\n`,
  );
  process.exitCode = 2;
}
