import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LedgerCheckReport } from '@answer-evidence/contracts';
import { type Attack, outcomeOf } from '../attack.ts';
import type { Scene } from '../scene.ts';

const CONTENT = 'the very words that were shown '.repeat(4_000);

const DAMAGES: Readonly<Record<string, (bytes: Buffer) => Buffer | undefined>> = {
  'one bit turned': (bytes) => {
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  },
  'cut in half': (bytes) => bytes.subarray(0, bytes.length / 2),
  empty: () => Buffer.alloc(0),
  longer: (bytes) => Buffer.concat([bytes, bytes]),
  gone: () => undefined,
};

/** What is stored, changed behind the service's back: it is never given out as whole, and is said to be damaged. */
export const DAMAGE_ATTACKS: readonly Attack[] = [
  {
    kind: 'damage',
    name: 'stored files of evidence, turned, cut, emptied, doubled and gone',
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
        const changed = change(await readFile(file));
        await (changed === undefined ? rm(file) : writeFile(file, changed));
        if (!(await isNamed({ call, ours }, made.id))) breaches.push(`${how}: not named by a ledger check`);
        const asked = { token: ours.first, body: {} };
        // A content that ends too early, or is found to be another one on its way, breaks the connection off.
        const reply = await call('POST', `/api/evidence-assets/${made.id}/download`, asked).catch(() => undefined);
        const came = await reply?.text().catch(() => undefined);
        const isSaid = reply?.status === 500 && came?.includes('"code":"content_damaged"') === true;
        statuses.push(came === undefined ? 'broken off' : isSaid ? '500 content_damaged' : (reply?.status ?? 0));
        if (reply?.status === 200 && came !== undefined) breaches.push(`${how}: given out as whole`);
        else if (came !== undefined && !isSaid) breaches.push(`${how}: not said to be damaged`);
      }
      return outcomeOf(statuses, breaches);
    },
  },
];

/** Whether a ledger check of the workspace names the original of an asset. */
async function isNamed({ call, ours }: Pick<Scene, 'call' | 'ours'>, assetId: string): Promise<boolean> {
  const reply = await call('POST', '/api/trust/ledger-checks', { token: ours.manager });
  const { outcome, findings } = (await reply.json()) as LedgerCheckReport;
  return outcome === 'FAIL' && findings.some(({ object }) => object === `original of asset ${assetId}`);
}

async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && /objects|evidence/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name));
}
