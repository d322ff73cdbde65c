export * from './check-fields.ts';
export * from './commit-texts.ts';
export * from './fingerprint.ts';
export * from './hash-keys.ts';
export * from './prepare-record.ts';
