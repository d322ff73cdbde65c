export * from './commit.ts';
export * from './rules.ts';
