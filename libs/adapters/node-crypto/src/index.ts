export { systemClock } from './clock.ts';
export { type ClockWatch, createClockWatch } from './clock-guard.ts';
export { createEd25519Signer, ED25519_KEY_BYTES } from './ed25519.ts';
export { createMasterKey, parseMasterKey } from './master-key.ts';
export { createMasterVault } from './master-vault.ts';
export { createMlDsa44Signer, ML_DSA_44 } from './ml-dsa-44.ts';
export { systemRandom } from './random.ts';
export { createRewrapping, type Rewrapping } from './rewrapping.ts';
export { verifySignature } from './verify-signature.ts';
