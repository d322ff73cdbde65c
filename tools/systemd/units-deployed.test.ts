import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type BootedRun, findObstacle, runBooted } from './boot-container.ts';

const REPOSITORY = new URL('../..', import.meta.url).pathname;
const MINUTES_MS = 600_000;

/** The commands of the page, as somebody copies them, but for the clone, which is there, and for what never ends. */
async function readPage(): Promise<{ readonly install: string; readonly operate: string }> {
  const page = await readFile(join(REPOSITORY, 'docs/operations/systemd.md'), 'utf8');
  const [install = '', operate = ''] = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  const isTried = (line: string) => !/^git clone|npm ci|--follow/.test(line);
  return { install: install.split('\n').filter(isTried).join('\n'), operate };
}

/** Asks for a while, because a start takes seconds. */
const AWAIT_READY = `await_ready() {
  for n in $(seq 240); do
    curl --silent --fail http://127.0.0.1:9464/readyz >/dev/null && return 0
    sleep 0.5
  done
  journalctl --unit answer-evidence --no-pager
  return 1
}`;

const scriptOf = ({ install, operate }: Awaited<ReturnType<typeof readPage>>) => `
set -x
tell() { echo "$1=$2" >>/results/values; }
state() { systemctl show --property="$2" --value "$1"; }
${AWAIT_READY}
cd /opt/answer-evidence
${install}
await_ready && tell first ready
token=$(sed -n 's/ *token: //p' /var/lib/answer-evidence/config.yaml)
tell created "$(curl --silent --output /dev/null --write-out '%{http_code}' --header "Authorization: Bearer $token" \\
  --json '{"application_key":"bot","question":{"text":"q"},"answer":{"text":"a"}}' \\
  http://127.0.0.1:8080/api/answer-audit-logs)"
systemctl start answer-evidence-check.service
tell check "$(state answer-evidence-check.service Result)"
journalctl --unit answer-evidence-check --no-pager
${operate}tell operator $?
tell timer "$(state answer-evidence-check.timer ActiveState)"
kill -9 "$(state answer-evidence MainPID)"
sleep 6
await_ready && tell restarted "$(state answer-evidence NRestarts)"
systemctl stop answer-evidence
tell stopped "$(state answer-evidence Result)"
systemctl start answer-evidence
await_ready && tell again ready
journalctl --unit answer-evidence --no-pager
`;

const obstacle = findObstacle();
(obstacle === undefined ? describe : describe.skip)(
  `the units under systemd${obstacle ? `, which ${obstacle}` : ''}`,
  () => {
    let run: BootedRun;
    beforeAll(async () => {
      run = await runBooted(REPOSITORY, scriptOf(await readPage()), MINUTES_MS);
    }, MINUTES_MS);

    it('start as the page says, are checked while the service runs, come back after a crash, and stop', () => {
      const { values, log } = run;
      const expected = {
        first: 'ready',
        created: '201',
        check: 'success',
        operator: '0',
        timer: 'active',
        restarted: '1',
        stopped: 'success',
        again: 'ready',
      };
      // The log is shown with what differs.
      expect(JSON.stringify(values) === JSON.stringify(expected) ? values : { ...values, log }).toEqual(expected);
    });
  },
);
