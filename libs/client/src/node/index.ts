export { createFileStore } from './file-store.ts';
