export { openPackPage, openProofPage } from './open-pack-page.ts';
