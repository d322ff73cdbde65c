export { createFileStore } from './file-store.ts';
export { PART, writeDurably } from './write-durably.ts';
