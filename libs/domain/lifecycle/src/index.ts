export * from './holds.ts';
export * from './retention.ts';
export * from './transitions.ts';
export * from './sweep-share.ts';
