export { createRfc3161Anchor, type Rfc3161Deps } from './rfc3161-anchor.ts';
export { createRevocationReader } from './read-revocations.ts';
