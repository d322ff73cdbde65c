import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { formatSubmission } from '@answer-evidence/rekor';

/** Writes so many bodies for Rekor v2 to a file, one a line, each of another hash; all are signed by one new key. */
export async function writeRekorEntries(file: string, entries: number): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }));
  const lines = Array.from({ length: entries }, (_, number) => {
    const artefact = `entry ${number}`;
    const digest = new Uint8Array(createHash('sha256').update(artefact).digest());
    const signature = new Uint8Array(sign('sha256', Buffer.from(artefact), privateKey));
    return Buffer.from(formatSubmission({ digest, signature, publicKey: spki })).toString();
  });
  await writeFile(file, lines.join('\n'));
}
