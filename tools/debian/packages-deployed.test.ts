import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isInstalled } from '@answer-evidence/testing';
import { IMAGE_COMMANDS } from '../image/lay-out-image.ts';
import { type BootedRun, findObstacle as findBootObstacle, runBooted } from '../systemd/boot-container.ts';
import { layOutPackage } from './lay-out-package.ts';
import { architectureOf, packDebian, packTarball } from './pack.ts';

const REPOSITORY = new URL('../..', import.meta.url).pathname;
const MINUTES_MS = 600_000;
const bundleOf = (app: string) => join(REPOSITORY, 'apps', app, 'dist');

function findObstacle(): string | undefined {
  if (!isInstalled('dpkg-deb')) return 'needs dpkg-deb';
  const missing = Object.values(IMAGE_COMMANDS).find((app) => !existsSync(join(bundleOf(app), 'main.js')));
  return missing === undefined ? findBootObstacle() : 'needs the bundles of npm run build';
}

const SCRIPT = `
set -x
tell() { echo "$1=$2" >>/results/values; }
state() { systemctl show --property="$2" --value "$1"; }
await_ready() {
  for n in $(seq 240); do
    curl --silent --fail http://127.0.0.1:9464/readyz >/dev/null && return 0
    sleep 0.5
  done
  journalctl --unit answer-evidence --no-pager
  return 1
}
token() { sed -n 's/ *token: //p' /var/lib/answer-evidence/config.yaml; }
list() {
  curl --silent --header "Authorization: Bearer $(token)" http://127.0.0.1:8080/api/answer-audit-logs |
    grep --only-matching '"application_key"' | wc -l
}
create() {
  curl --silent --output /dev/null --write-out '%{http_code}' --header "Authorization: Bearer $(token)" \\
    --json '{"application_key":"bot","question":{"text":"q"},"answer":{"text":"a"}}' \\
    http://127.0.0.1:8080/api/answer-audit-logs
}
dpkg --install /packages/answer-evidence_1.0.0_*.deb && tell installed "$(dpkg-query --show --showformat '\${Version}' answer-evidence)"
await_ready && tell first "$(create)"
tell node "$(readlink --canonicalize /proc/$(state answer-evidence MainPID)/exe)"
tell key "$(stat --format '%U %a' /etc/answer-evidence/master_key)"
systemctl start answer-evidence-check.service
tell check "$(state answer-evidence-check.service Result)"
tell doctor "$(systemd-run --pipe --wait --uid=answer-evidence --property=LoadCredential=master_key:/etc/answer-evidence/master_key \\
  --setenv=SERVICE_DATA_DIR=/var/lib/answer-evidence \\
  sh -c 'SERVICE_MASTER_KEY_FILE=$CREDENTIALS_DIRECTORY/master_key answer-evidence-operator doctor' | grep --count '^PASS key.master')"
key=$(sha256sum </etc/answer-evidence/master_key)
dpkg --install /packages/answer-evidence_1.0.1_*.deb && tell upgraded "$(dpkg-query --show --showformat '\${Version}' answer-evidence)"
await_ready && tell kept "$(list)"
[ "$key" = "$(sha256sum </etc/answer-evidence/master_key)" ] && tell samekey yes
tell timer "$(state answer-evidence-check.timer ActiveState)"
dpkg --remove answer-evidence
tell removed "$(systemctl is-active answer-evidence; ls /opt/answer-evidence 2>/dev/null | wc -l)"
dpkg --purge answer-evidence
[ -s /etc/answer-evidence/master_key ] && [ -d /var/lib/answer-evidence/postgres ] && tell purged 'data and key stay'
tar --extract --file=$(ls /packages/*.tar) --directory=/ --no-same-owner && /opt/answer-evidence/setup
systemctl enable --now answer-evidence.service answer-evidence-check.timer
await_ready && tell tarball "$(list)"
systemctl stop answer-evidence
mv /etc/answer-evidence/master_key /root/
/opt/answer-evidence/setup 2>&1 | grep --quiet 'put the master key' && [ ! -e /etc/answer-evidence/master_key ] && tell lostkey 'none made'
journalctl --unit answer-evidence --no-pager
`;

const obstacle = findObstacle();
(obstacle === undefined ? describe : describe.skip)(
  `the packages for Linux${obstacle === undefined ? '' : `, which ${obstacle}`}`,
  () => {
    let folder: string;
    let root: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'answer-evidence-packages-'));
      root = join(folder, 'root');
      await layOutPackage(root, { bundleOf, node: process.execPath });
    }, MINUTES_MS);
    afterAll(() => rm(folder, { recursive: true }));

    it('have units and commands that run bundles by the Node beside them, and nothing of the sources', async () => {
      const units = join(root, 'usr/lib/systemd/system');
      for (const name of await readdir(units)) {
        const text = (await readFile(join(units, name), 'utf8')).replace(/^#.*$/gm, '');
        expect(text).not.toMatch(/node_modules|\.ts\b/);
        for (const [, command = ''] of text.matchAll(/^ExecStart=(\S+)/gm))
          expect(command).toBe('/opt/answer-evidence/bin/node');
      }
      for (const command of Object.keys(IMAGE_COMMANDS))
        expect(await readFile(join(root, 'usr/bin', command), 'utf8')).toContain('exec /opt/answer-evidence/bin/node ');
      const files = await readdir(join(root, 'opt/answer-evidence'), { recursive: true });
      expect(files.filter((name) => /\.(?:ts|map)$/.test(name) && !name.includes('node_modules'))).toEqual([]);
    });

    it(
      'are the same when they are made again',
      async () => {
        const packing = { version: '1.0.0', architecture: architectureOf(process.arch), compression: 'none' } as const;
        const digests = [0, 1].map(() => '');
        for (const index of digests.keys()) {
          const made = [await packTarball(root, folder, packing), await packDebian(root, folder, packing)];
          digests[index] = spawnSync('sha256sum', made, { encoding: 'utf8' }).stdout;
          for (const file of made) await rm(file);
        }
        expect(digests[0]).toBe(digests[1]);
      },
      MINUTES_MS,
    );

    it(
      'are installed, upgraded and removed, and the data and its key outlive that',
      async () => {
        const packages = join(folder, 'packages');
        spawnSync('mkdir', [packages]);
        const packing = { architecture: architectureOf(process.arch), compression: 'none' } as const;
        for (const version of ['1.0.0', '1.0.1']) await packDebian(root, packages, { ...packing, version });
        await packTarball(root, packages, { ...packing, version: '1.0.1' });
        const run: BootedRun = await runBooted(packages, SCRIPT, MINUTES_MS, '/packages');
        const expected = {
          installed: '1.0.0',
          first: '201',
          node: '/opt/answer-evidence/bin/node',
          key: 'root 600',
          check: 'success',
          doctor: '1',
          upgraded: '1.0.1',
          kept: '1',
          samekey: 'yes',
          timer: 'active',
          removed: 'inactive',
          purged: 'data and key stay',
          tarball: '1',
          lostkey: 'none made',
        };
        // The log is shown with what differs.
        const { values, log } = run;
        const shown = { ...values, removed: (values['removed'] ?? '').split('\n')[0] };
        expect(JSON.stringify(shown) === JSON.stringify(expected) ? shown : { ...shown, log }).toEqual(expected);
      },
      MINUTES_MS,
    );
  },
);
