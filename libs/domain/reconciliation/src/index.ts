export * from './compare-hashes.ts';
export * from './decide.ts';
export * from './facts.ts';
export * from './hash-in-turns.ts';
export * from './line-set.ts';
export * from './lines.ts';
export * from './order.ts';
export * from './statement.ts';
