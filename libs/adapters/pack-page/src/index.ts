export { openPackPage } from './open-pack-page.ts';
