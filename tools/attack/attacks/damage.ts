import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Attack, describeStatuses, serverFaults } from '../attack.ts';

const CONTENT = 'the very words that were shown '.repeat(4_000);

const DAMAGES: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  'one bit turned': (bytes) => {
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  },
  'cut in half': (bytes) => bytes.subarray(0, bytes.length / 2),
  empty: () => Buffer.alloc(0),
  longer: (bytes) => Buffer.concat([bytes, bytes]),
};

/** What is stored, changed behind the service's back: it is never given out as whole, and is said to be damaged. */
export const DAMAGE_ATTACKS: readonly Attack[] = [
  {
    kind: 'damage',
    name: 'stored files of evidence, turned, cut, emptied and doubled',
    probeMsMax: 1_000,
    async run({ call, ours, dataDir }) {
      const statuses: (number | string)[] = [];
      const breaches: string[] = [];
      for (const [how, change] of Object.entries(DAMAGES)) {
        const before = new Set(await listFiles(dataDir));
        const body = {
          application_key: ours.target.applicationKey,
          content_type: 'text/plain',
          content_base64: Buffer.from(`${how} ${CONTENT}`).toString('base64'),
        };
        const made = (await (await call('POST', '/api/evidence-assets', { token: ours.first, body })).json()) as {
          id: string;
        };
        const [file] = (await listFiles(dataDir)).filter((path) => !before.has(path));
        if (file === undefined) throw new Error('no file was stored');
        await writeFile(file, change(await readFile(file)));
        const asked = { token: ours.first, body: {} };
        // A content that ends too early, or is found to be another one on its way, breaks the connection off.
        const reply = await call('POST', `/api/evidence-assets/${made.id}/download`, asked).catch(() => undefined);
        const came = await reply?.text().catch(() => undefined);
        const isSaid = reply?.status === 500 && came?.includes('"code":"content_damaged"') === true;
        statuses.push(came === undefined ? 'broken off' : isSaid ? '500 content_damaged' : (reply?.status ?? 0));
        if (reply?.status === 200 && came !== undefined) breaches.push(`${how}: given out as whole`);
        else if (came !== undefined && !isSaid) breaches.push(`${how}: not said to be damaged`);
      }
      return {
        requests: statuses.length,
        seen: describeStatuses(statuses),
        breaches: [...breaches, ...serverFaults('', statuses)],
      };
    },
  },
];

async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && /objects|evidence/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name));
}
