import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '@answer-evidence/testing';
import { until } from '../scenery/service-process.ts';
import { type DeployedProject, findObstacle, openDeployedProject } from './deployed-project.ts';
import { FAULTS } from './faults.ts';
import { createTrial, type Trial } from './trial.ts';

const MINUTE_MS = 60_000;
const obstacle = await findObstacle();

(obstacle === undefined ? describe : describe.skip)(
  `docker-compose.yml${obstacle === undefined ? '' : `, which ${obstacle}`}`,
  () => {
    let project: DeployedProject;
    let trial: Trial;
    const compose = (...args: readonly string[]) => project.compose(...args);
    const assertWhole = async () => expect(await trial.judge()).toEqual({ lost: 0, doubled: 0, check: 'PASS' });

    beforeAll(async () => {
      project = await openDeployedProject({
        SERVICE_ADDRESS: `127.0.0.1:${await findFreePort()}`,
        SERVICE_GRPC_ADDRESS: `127.0.0.1:${await findFreePort()}`,
        SERVICE_HTTP_ADDRESS: `127.0.0.1:${await findFreePort()}`,
        SERVICE_TLS_ADDRESS: `127.0.0.1:${await findFreePort()}`,
        SERVICE_GRPCS_ADDRESS: `127.0.0.1:${await findFreePort()}`,
        // Beside the proxy, where the test asks.
        SERVICE_BASE_URL: 'http://127.0.0.1:8080',
        // As behind the profile `tls`, which comes last.
        SERVICE_TRUSTED_PROXIES: '2',
        SERVICE_HOST: 'localhost',
      });
      await compose('up', '--detach', '--no-build');
      trial = createTrial(project);
    }, 15 * MINUTE_MS);
    afterAll(() => project.close(), 5 * MINUTE_MS);

    it(
      'leads from its first start to a verified answer',
      async () => {
        await project.createWorkspace();
        const said = await project.runInside(
          'proxy',
          `id=$(answer-evidence records create --quiet --application bot --question-text q --answer-text a)
           answer-evidence trust proof "$id" --out bundle.json
           answer-evidence trust export --out trust.json
           answer-evidence verify bundle.json --trust trust.json`,
        );
        expect(said).toMatch(/\d+ PASS, 0 FAIL/);
      },
      5 * MINUTE_MS,
    );

    it.each(FAULTS.map(({ name }, n) => [name, n] as const))(
      'takes creates again after: %s',
      async (name, n) => {
        await trial.underLoad(name, () => FAULTS[n]?.strike(project) ?? Promise.reject(new Error(name)));
      },
      8 * MINUTE_MS,
    );

    it('has lost and doubled nothing by any of that', () => assertWhole(), 5 * MINUTE_MS);

    it(
      'is replaced, grows to two instances, and is replaced again, without a create refused',
      async () => {
        const replace = () => project.run(join(project.folder, 'deploy/compose/replace.sh'), []);
        expect(await trial.underLoad('one of each: replaced', replace)).toEqual([]);
        const two = ['-f', 'docker-compose.yml', '-f', 'docker-compose.two.yml', 'up', '--detach', '--no-build'];
        expect(await trial.underLoad('from one of each to two', () => compose(...two))).toEqual([]);
        expect(await trial.underLoad('two of each: replaced', replace)).toEqual([]);
        for (const process of ['ingest-api', 'trust-worker'])
          expect((await compose('ps', '--quiet', process)).trim().split('\n')).toHaveLength(2);
        await assertWhole();
      },
      30 * MINUTE_MS,
    );

    it(
      'loses and doubles nothing when one of two instances is killed, or both are restarted in turn',
      async () => {
        const instances = (await compose('ps', '--quiet', 'ingest-api')).trim().split('\n');
        const [one = ''] = instances;
        await trial.underLoad('two of each: one ingest-api killed, started again', async () => {
          await project.run('docker', ['kill', '--signal', 'KILL', one]);
          await project.run('docker', ['start', one]);
        });
        const restart = async () => {
          for (const id of instances) {
            await project.run('docker', ['restart', '--time', '30', id]);
            const health = ['inspect', '--format', '{{.State.Health.Status}}', id];
            await until(
              'its health',
              async () => (await project.run('docker', health)).trim() === 'healthy',
              5 * MINUTE_MS,
            );
            // The proxy looks the names up every two seconds.
            await new Promise((resolve) => setTimeout(resolve, 3_000));
          }
        };
        expect(await trial.underLoad('two of each: both ingest-api restarted in turn', restart)).toEqual([]);
        await assertWhole();
      },
      20 * MINUTE_MS,
    );

    it(
      'is read whole from the copy of its volumes, on an empty machine',
      async () => {
        await compose('stop');
        const archive = `${project.folder}/backup.tar`;
        await project.run('sh', [
          '-ec',
          `docker compose run --rm -T volumes --create postgres redis objects anchors >${archive}`,
        ]);
        await compose('down', '--volumes');
        await project.run('sh', [
          '-ec',
          `docker compose run --rm -T volumes --extract --preserve-permissions <${archive}`,
        ]);
        await compose('up', '--detach', '--no-build');
        await assertWhole();
      },
      15 * MINUTE_MS,
    );

    it(
      'tells clients apart who come through TLS and the proxy',
      async () => {
        await compose('--profile', 'tls', 'up', '--detach', '--no-build');
        // Both are there to the end: an address that is free again may be given to the next container.
        const [guesser, neighbour] = [await project.openCaller('guesser'), await project.openCaller('neighbour')];
        const guess = async (caller: typeof guesser, times: number) =>
          (await caller.run(guessing(times))).trim().split('\n');
        try {
          await until(
            'TLS',
            async () =>
              guess(guesser, 1).then(
                () => true,
                () => false,
              ),
            MINUTE_MS,
          );
          expect((await guess(guesser, 12)).at(-1)).toBe('429');
          expect(await guess(neighbour, 1)).toEqual(['401']);
        } finally {
          await guesser.close();
          await neighbour.close();
        }
      },
      10 * MINUTE_MS,
    );
  },
);

/** A program that guesses a password so many times through TLS, and prints each status. */
function guessing(times: number): string {
  return `
const headers = { Host: 'localhost', 'Content-Type': 'application/json', 'X-Forwarded-For': '192.0.2.1' };
const to = { host: 'tls', port: 8443, path: '/api/auth/login', method: 'POST', headers };
const trust = { servername: 'localhost', rejectUnauthorized: false };
const body = JSON.stringify({ username: 'nobody', password: 'wrong password' });
const guess = () => new Promise((resolve, reject) => {
  const request = require('node:https').request({ ...to, ...trust }, (response) => resolve(response.statusCode));
  request.on('error', reject).end(body);
});
(async () => {
  for (let n = 0; n < ${times}; n++) console.log(await guess());
  process.exit(0);
})();`;
}
