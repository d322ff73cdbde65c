export { createRfc3161Anchor, type Rfc3161Parts } from './rfc3161-anchor.ts';
