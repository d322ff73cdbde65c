export { createMicrosecondClock, systemClock } from './clock.ts';
export { verifyEd25519 } from './ed25519.ts';
export { createMasterKey, parseMasterKey } from './master-key.ts';
export { createMasterVault } from './master-vault.ts';
export { createRandomPool, systemRandom } from './random.ts';
