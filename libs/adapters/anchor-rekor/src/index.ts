export { createRekorAnchor, type RekorDeps } from './rekor-anchor.ts';
