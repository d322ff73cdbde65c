export { systemClock } from './clock.ts';
export { type ClockWatch, createClockWatch } from './clock-guard.ts';
export { createEd25519Signer, ED25519_KEY_BYTES, type Ed25519Signer, verifyEd25519 } from './ed25519.ts';
export { createMasterKey, parseMasterKey } from './master-key.ts';
export { createMasterVault } from './master-vault.ts';
export { systemRandom } from './random.ts';
export { createRewrapping, type Rewrapping } from './rewrapping.ts';
