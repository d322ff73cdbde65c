export { createFileStore } from './file-store.ts';
export { createProxiedFetch } from './proxied-fetch.ts';
export { PART, writeDurably } from './write-durably.ts';
