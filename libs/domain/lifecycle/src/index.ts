export * from './retention.ts';
export * from './transitions.ts';
