export * from './callers.ts';
export * from './matrix.ts';
export * from './session-secret.ts';
export * from './token-keys.ts';
export * from './token-life.ts';
export * from './password-secret.ts';
export * from './passwords.ts';
export * from './user-token.ts';
