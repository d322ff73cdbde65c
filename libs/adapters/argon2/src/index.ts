export { createArgon2Hasher } from './argon2-hasher.ts';
