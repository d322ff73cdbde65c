import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { describeWithPythonTools, runTool } from '../foreign-tools/python-tools.ts';
import { REPOSITORY } from '../scenery/service-process.ts';

describeWithPythonTools('the Dockerfile', () => {
  it('is one about which hadolint has nothing to say', async () => {
    expect(await runTool('hadolint', [join(REPOSITORY, 'Dockerfile')])).toEqual({ code: 0, output: '' });
    const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-dockerfile-'));
    await writeFile(join(folder, 'Dockerfile'), 'FROM node\nRUN cd /src && npm ci\n');
    expect((await runTool('hadolint', [join(folder, 'Dockerfile')])).output).toContain('DL3006');
    await rm(folder, { recursive: true });
  });
});
