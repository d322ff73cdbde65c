export * from './operation.ts';
export * from './trust.ts';
