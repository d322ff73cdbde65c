import { spawnSync } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sha256 } from '@answer-evidence/digest';
import type { AnchorOutcome, AnchorRequest } from '@answer-evidence/ports';
import { anchorContract } from '@answer-evidence/ports/contracts';
import { openFileAnchor } from './file-anchor.ts';
import { withDirectory } from './fixtures/with-directory.ts';

function createRequest(n: number, origin = 'log.example/demo'): AnchorRequest {
  const text = `${origin}\n${n}\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n`;
  const note = `${text}\n— ${origin} AAAAAAAAAAA=\n`;
  const config = { id: 'file', type: 'file' } as const;
  return { config, note, digest: sha256(text), signal: new AbortController().signal };
}

function readArtefact(outcome: AnchorOutcome): { file: string; line: number; sha256: string } {
  if (outcome.kind === 'failed') throw new Error(outcome.detail);
  return JSON.parse(Buffer.from(outcome.artefact).toString());
}

describe('openFileAnchor keeps the contract:', () => {
  for (const promise of anchorContract) {
    it(promise.guarantee, () =>
      withDirectory(async (directory) => {
        const anchor = await openFileAnchor(join(directory, 'anchors'));
        await promise.prove({
          anchor,
          request: (n) => createRequest(n),
          isReadable: true,
          misbehaving: {},
          unspeakable: [],
        });
      }),
    );
  }
});

describe('openFileAnchor', () => {
  it('writes a line for each checkpoint, once, and says which, also when it is opened anew', () =>
    withDirectory(async (directory) => {
      const anchor = await openFileAnchor(join(directory, 'anchors'));
      const first = readArtefact(await anchor.submit(createRequest(1)));
      const second = readArtefact(await anchor.submit(createRequest(2)));
      expect([first.line, second.line]).toEqual([1, 2]);
      const again = await openFileAnchor(join(directory, 'anchors'));
      expect(readArtefact(await again.submit(createRequest(1)))).toEqual(first);
      const path = join(directory, 'anchors', first.file);
      const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line))).toEqual(
        [createRequest(1), createRequest(2)].map(({ note, digest }) => ({
          note,
          sha256: Buffer.from(digest).toString('hex'),
        })),
      );
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    }));

  it('neither writes nor reads through a link in the place of its file', () =>
    withDirectory(async (directory) => {
      const anchor = await openFileAnchor(join(directory, 'anchors'));
      const { file } = readArtefact(await anchor.submit(createRequest(1)));
      const outside = join(directory, 'outside');
      await writeFile(outside, 'of somebody else');
      await rm(join(directory, 'anchors', file));
      await symlink(outside, join(directory, 'anchors', file));
      const refused = { kind: 'failed', detail: expect.stringContaining('(ELOOP)') };
      expect(await anchor.submit(createRequest(2))).toMatchObject(refused);
      expect(await anchor.readNewest({ ...createRequest(2), origin: 'log.example/demo' })).toMatchObject(refused);
      expect(await readFile(outside, 'utf8')).toBe('of somebody else');
    }));

  it('goes on after a crash has left half a line, and does not take that for a whole one', () =>
    withDirectory(async (directory) => {
      const anchor = await openFileAnchor(directory);
      const { file } = readArtefact(await anchor.submit(createRequest(1)));
      const whole = (await readFile(join(directory, file), 'utf8')).trimEnd();
      await writeFile(join(directory, file), whole);
      expect(readArtefact(await anchor.submit(createRequest(1))).line).toBe(2);
      await appendFile(join(directory, file), '{"checkpoint":"log.ex');
      expect(readArtefact(await anchor.submit(createRequest(2))).line).toBe(4);
      expect(readArtefact(await anchor.submit(createRequest(1))).line).toBe(1);
      expect((await readFile(join(directory, file), 'utf8')).split('\n')).toHaveLength(5);
    }));

  it('keeps each log in a file of its own, whatever its name', () =>
    withDirectory(async (directory) => {
      const anchor = await openFileAnchor(directory);
      const origins = ['a.example/x', 'a_example/x', '../../etc/passwd', `${'a'.repeat(300)}/1`, 'ä'];
      for (const origin of origins) {
        const { file, line } = readArtefact(await anchor.submit(createRequest(1, origin)));
        expect(file).toMatch(/^[A-Za-z0-9_-]{1,100}-[0-9a-f]{16}\.jsonl$/);
        expect(line).toBe(1);
      }
      expect(await readdir(directory)).toHaveLength(origins.length);
    }));

  it('fails, and says with which error of the system, where it cannot write', () =>
    withDirectory(async (directory) => {
      const anchor = await openFileAnchor(directory);
      const name = readArtefact(await anchor.submit(createRequest(1, 'c'))).file;
      await rm(join(directory, name));
      await mkdir(join(directory, name));
      expect(await anchor.submit(createRequest(1, 'c'))).toEqual({
        kind: 'failed',
        detail: 'the file of anchors cannot be written (EISDIR)',
      });
    }));

  it('reads the end of its file alone, and passes over what is no note', () =>
    withDirectory(async (directory) => {
      const anchor = await openFileAnchor(directory);
      const { file } = readArtefact(await anchor.submit(createRequest(1)));
      const path = join(directory, file);
      const read = async () => {
        const { config, signal } = createRequest(1);
        const reading = await anchor.readNewest({ config, signal, origin: 'log.example/demo' });
        return reading.kind === 'read' ? reading.notes.map(({ note }) => note) : reading.detail;
      };
      const firstForm = JSON.stringify({ checkpoint: 'log.example/demo\n1\n', sha256: '00' });
      await appendFile(path, `${firstForm}\nnot JSON\nnull\n{"note":7}\n\n\u0000`);
      expect(await read()).toEqual([createRequest(1).note]);
      await appendFile(path, `\n${'x'.repeat(70_000)}\n`);
      expect(await read()).toEqual([]);
      await anchor.submit(createRequest(2));
      expect(await read()).toEqual([createRequest(2).note]);
    }));

  it('does not wait for what lies in the place of its file, and says what the system says', () =>
    withDirectory(async (directory) => {
      const anchor = await openFileAnchor(directory);
      const { file } = readArtefact(await anchor.submit(createRequest(1)));
      const { config, signal } = createRequest(1);
      const read = () => anchor.readNewest({ config, signal, origin: 'log.example/demo' });
      await rm(join(directory, file));
      expect(spawnSync('mkfifo', [join(directory, file)]).status).toBe(0);
      expect(await read()).toMatchObject({ kind: 'read', notes: [] });
      await rm(join(directory, file));
      await mkdir(join(directory, file));
      expect(await read()).toEqual({ kind: 'failed', detail: 'the file of anchors cannot be read (EISDIR)' });
    }));

  it('takes a digest that is not of the text for a mistake of its caller', () =>
    withDirectory(async (directory) => {
      const anchor = await openFileAnchor(directory);
      const request = { ...createRequest(1), digest: new Uint8Array(32) };
      await expect(anchor.submit(request)).rejects.toThrow('not that of the checkpoint');
    }));
});
