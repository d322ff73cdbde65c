import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseNote } from '@answer-evidence/note';
import { runCli } from '../run-cli.ts';
import { createMemoryIo } from '../testing/memory-io.ts';

const FROZEN = join(import.meta.dirname, '../../../../e2e/frozen/v1-additions');
const renewed = readFileSync(join(FROZEN, 'renewed.json'), 'utf8');
const bundle = JSON.parse(renewed) as {
  checkpoint: string;
  anchors: { artefact: string }[];
  renewals: { artefact: string; paths: string[][][]; revocation_lists: { list: string }[] }[];
};
const files = {
  '/renewed.json': renewed,
  '/plain.json': JSON.stringify({ ...bundle, renewals: undefined }),
  '/bare.json': JSON.stringify({ ...bundle, anchors: [] }),
  '/broken.json': JSON.stringify({ ...bundle, anchors: [{ ...bundle.anchors[0], artefact: 'e30=' }] }),
  '/text': 'no bundle',
};

async function run(...args: readonly string[]) {
  const world = createMemoryIo({
    files,
    fetch: () => {
      throw new Error('an offline command used the network');
    },
  });
  const written = new Map<string, string | Uint8Array>();
  const write = (path: string, content: string | Uint8Array) => Promise.resolve(void written.set(path, content));
  const io = { ...world.io, files: { ...world.io.files, write } };
  const argv = ['trust', 'evidence-record', ...args, '--out', '/record.ers', '--data', '/data.txt'];
  const exitCode = await runCli(argv, io);
  const read = (path: string) => Buffer.from(written.get(path) ?? '');
  return { exitCode, stderr: world.stderr(), read };
}

/** The token in a response in base64: what is behind its status, which has five octets here. */
function tokenOf(artefact: string | undefined): Buffer {
  const response = Buffer.from(artefact ?? '', 'base64');
  return response.subarray(response.indexOf(Buffer.from([0x30, 0x03, 0x02, 0x01, 0x00])) + 5);
}

describe('trust evidence-record', () => {
  it('writes the tokens of a bundle with their path and lists, and what they are over', async () => {
    const { exitCode, read } = await run('/renewed.json');
    expect(exitCode).toBe(0);
    const record = read('/record.ers');
    const [renewal] = bundle.renewals;
    const parts = [
      Buffer.from(renewal?.revocation_lists[0]?.list ?? '', 'base64'),
      tokenOf(bundle.anchors[0]?.artefact),
      ...(renewal?.paths[0] ?? []).flat().map((hash) => Buffer.from(`0420${hash}`, 'hex')),
      tokenOf(renewal?.artefact),
    ];
    let end = 0;
    for (const part of parts) {
      const place = record.indexOf(part, end);
      expect(place).toBeGreaterThanOrEqual(end);
      end = place + part.length;
    }
    expect(read('/data.txt').toString()).toBe(parseNote(bundle.checkpoint).text);
  });

  it('writes a record of one token, where nothing was renewed', async () => {
    const { exitCode, stderr, read } = await run('/plain.json', '--anchor', 'a');
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('with 0 renewals') });
    expect(read('/record.ers').includes(tokenOf(bundle.anchors[0]?.artefact))).toBe(true);
  });

  it.each([
    [['/bare.json'], '/bare.json: has no time-stamp'],
    [['/renewed.json', '--anchor', 'other'], '/renewed.json: has no time-stamp by other'],
    [['/broken.json'], '/broken.json: its time-stamps cannot be read; verify it first'],
    [['/text'], '/text: '],
  ])('refuses %j', async (args, message) => {
    const { exitCode, stderr } = await run(...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});
