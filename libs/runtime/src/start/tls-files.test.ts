import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runOpenssl } from '@answer-evidence/testing';
import { warnOfEnd } from './tls-files.ts';

const DAY_MS = 86_400_000;
let folder: string;
let cert: Buffer;
let endMs: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tls-files-'));
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem'];
  const named = ['-subj', '/CN=service', '-days', '30', '-out', 'cert.pem', '-config', '/dev/null'];
  await runOpenssl(folder, ['req', '-x509', ...key, ...named]);
  cert = await readFile(join(folder, 'cert.pem'));
  endMs = Date.parse(new X509Certificate(cert).validTo);
});

afterAll(() => rm(folder, { recursive: true }));

describe('a certificate that ends', () => {
  it('is not reported more than two weeks before', () => {
    expect(warnOfEnd(cert, endMs - 14 * DAY_MS)).toBeUndefined();
  });

  it.each([
    [14 * DAY_MS - 1, /ends at 20.*Z, 13 days from now: renew the file that SERVICE_TLS_CERT_FILE names/],
    [1, /ends at 20.*Z, 0 days from now/],
    [0, /ended at 20.*Z, 0 days ago/],
    [-3 * DAY_MS, /ended at 20.*Z, 3 days ago/],
  ])('is reported %d ms before, by the day', (before, text) => {
    expect(warnOfEnd(cert, endMs - before)).toMatch(text);
  });
});
