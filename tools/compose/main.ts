/** Makes the secrets of docker-compose.yml, once: `npm run compose:init`. */
import '../help/before-run.ts';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { writeSecrets } from './write-secrets.ts';

const folder = fileURLToPath(new URL('../../deploy/secrets', import.meta.url));
// The operator's container writes the configuration of the command line there, and only its owner reads it.
await mkdir(fileURLToPath(new URL('../../.data', import.meta.url)), { recursive: true, mode: 0o700 });
const isNew = await writeSecrets(folder);
console.log(isNew ? `wrote ${folder}; back up master_key, apart from the database` : `${folder} has files; kept them`);
