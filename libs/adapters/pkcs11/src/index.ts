export { openToken, type Token, type TokenPlace } from './open-token.ts';
