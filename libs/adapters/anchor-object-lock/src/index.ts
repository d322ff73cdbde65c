export { createObjectLockAnchor, type ObjectLockParts } from './object-lock-anchor.ts';
