/** Lays the files of the image out in a folder, from what `npm run build` has made: `npm run image -- root OUT`. */
import '../help/before-run.ts';
import { fileURLToPath } from 'node:url';
import { layOutImage } from './lay-out-image.ts';

const [out] = process.argv.slice(2);
if (out === undefined) throw new Error('name the folder: npm run image -- root OUT');
await layOutImage(out, (app) => fileURLToPath(new URL(`../../apps/${app}/dist`, import.meta.url)));
