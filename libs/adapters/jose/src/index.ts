export { createApplicationTokens } from './application-tokens.ts';
export { type SigningKey, thumbprintOf } from './signing-key.ts';
