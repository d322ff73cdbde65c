export * from './callers.ts';
export * from './matrix.ts';
