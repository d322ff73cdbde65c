export * from './clock.ts';
export * from './heads.ts';
export * from './ledger.ts';
export * from './stage.ts';
export * from './stored-damage.ts';
export * from './stores.ts';
export * from './tokens.ts';
export * from './vault.ts';
