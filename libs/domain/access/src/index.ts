export * from './callers.ts';
export * from './matrix.ts';
export * from './user-token.ts';
