import { closers } from './jest-global-setup.ts';

/** Ends what the setup opened, the last first (Jest: `globalTeardown`). */
export default async function tearDown(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}
