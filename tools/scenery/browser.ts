import { accessSync, constants } from 'node:fs';
import { describe } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';

/** Chromium without windows, which takes half the processor time, and the whole program, of which it is a part. */
const [HEADLESS_SHELL, CHROMIUM] = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const INSTALLED = [HEADLESS_SHELL, CHROMIUM].find(mayRun);

/** Runs tests that need Chromium where it is installed, and always where every service is required. */
export const describeInBrowser =
  INSTALLED !== undefined || process.env['REQUIRE_SERVICES'] !== undefined ? describe : describe.skip;

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts Chromium, which by itself talks to nobody; anyone who opened it closes it. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: INSTALLED ?? HEADLESS_SHELL,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-dev-shm-usage',
      // A page lives for seconds here: its scripts end before it pays to compile them well.
      '--js-flags=--no-opt --no-maglev',
    ],
  });
}
