import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '@answer-evidence/testing';
import { type DeployedProject, findObstacle, openDeployedProject } from './deployed-project.ts';
import { createTrial, type Trial } from './trial.ts';

const MINUTE_MS = 60_000;
const FULL_MS = 15_000;
const obstacle = await findObstacle();

/** The volumes of stores, so small that they can be filled: in memory, where the folder belongs to the user of each. */
const VOLUMES = {
  postgres: { megabytes: 700, user: 999 },
  redis: { megabytes: 64, user: 999 },
  objects: { megabytes: 256, user: 10_002 },
} as const;

const FILE = `volumes:
${Object.entries(VOLUMES)
  .map(
    ([name, { megabytes, user }]) => `  ${name}:
    driver_opts: { type: tmpfs, device: tmpfs, o: 'size=${megabytes}m,uid=${user},gid=${user},mode=0700' }
`,
  )
  .join('')}`;

(obstacle === undefined ? describe : describe.skip)(
  `docker-compose.yml with full volumes${obstacle === undefined ? '' : `, which ${obstacle}`}`,
  () => {
    let project: DeployedProject;
    let trial: Trial;
    let keeper: string;

    beforeAll(async () => {
      project = await openDeployedProject({
        COMPOSE_FILE: 'docker-compose.yml:small.yml',
        SERVICE_ADDRESS: `127.0.0.1:${await findFreePort()}`,
        SERVICE_GRPC_ADDRESS: `127.0.0.1:${await findFreePort()}`,
        SERVICE_BASE_URL: 'http://127.0.0.1:8080',
      });
      await writeFile(join(project.folder, 'small.yml'), FILE);
      await project.compose('up', '--detach', '--no-build');
      // What is in memory is there as long as somebody has it mounted.
      const volumes = Object.keys(VOLUMES).flatMap((name) => ['--volume', `${project.name}_${name}:/volumes/${name}`]);
      keeper = `${project.name}-keeper`;
      const idle = ['--user', '0:0', '--entrypoint', 'sleep', project.image, 'infinity'];
      await project.run('docker', ['run', '--detach', '--name', keeper, ...volumes, ...idle]);
      await project.createWorkspace();
      trial = createTrial(project);
    }, 15 * MINUTE_MS);
    afterAll(async () => {
      await project.run('docker', ['rm', '--force', keeper]);
      await project.close();
    }, 5 * MINUTE_MS);

    it.each(Object.keys(VOLUMES))(
      'takes creates again once the volume %s has room again',
      async (name) => {
        const file = `/volumes/${name}/filler`;
        const inside = (script: string) => project.run('docker', ['exec', keeper, 'sh', '-c', script]);
        await trial.underLoad(`volume ${name} full for ${FULL_MS / 1_000} s`, async () => {
          // Until nothing fits any more.
          await inside(
            `dd if=/dev/zero of=${file} bs=64k 2>/dev/null; dd if=/dev/zero of=${file}2 bs=1 2>/dev/null; :`,
          );
          expect(await inside(`df --output=avail -k /volumes/${name} | tail -1`)).toMatch(/^\s*0\s*$/);
          await new Promise((resolve) => setTimeout(resolve, FULL_MS));
          await inside(`rm ${file} ${file}2`);
        });
      },
      8 * MINUTE_MS,
    );

    it(
      'has lost and doubled nothing by that',
      async () => {
        expect(await trial.judge()).toEqual({ lost: 0, doubled: 0, check: 'PASS' });
      },
      5 * MINUTE_MS,
    );
  },
);
