import { spawnSync } from 'node:child_process';
import { describe } from '@jest/globals';

const isThere = (command: string, argument: string) => spawnSync(command, [argument]).status === 0;
const hasTools = isThere('python3', '--version') && isThere('openssl', 'version');

/** Runs tests that need Python and OpenSSL where they are installed, and always where every service is required. */
export const describeWithTools = hasTools || process.env['REQUIRE_SERVICES'] !== undefined ? describe : describe.skip;
