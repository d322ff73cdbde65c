export { createAccessTokens } from './access-tokens.ts';
