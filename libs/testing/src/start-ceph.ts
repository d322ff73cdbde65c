import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from './until.ts';

const run = promisify(execFile);

const COMMAND_MS = 60_000;

/** What an S3 server starts with. */
export type S3Start = {
  readonly directory: string;
  readonly ports: readonly [number, number, number];
  readonly accessKey: string;
  readonly secretKey: string;
  readonly domain?: string | undefined;
  /** Starts a program that runs until the server is closed. */
  readonly keep: (program: string, args: readonly string[], environment?: Readonly<Record<string, string>>) => void;
};

/** A cluster that runs. */
export type Ceph = {
  /** Has it hold every write, as it does by itself when its disks are full, or take writes again. */
  readonly setFull: (isFull: boolean) => Promise<void>;
};

/** Makes the smallest Ceph cluster with S3 (radosgw, ceph-mon, ceph-osd, ceph-common); waits by `untilServed`. */
export async function startCeph(start: S3Start, untilServed: () => Promise<void>): Promise<Ceph> {
  const { directory, ports, keep } = start;
  const clusterId = randomUUID();
  const monitor = `[v2:127.0.0.1:${ports[1]},v1:127.0.0.1:${ports[2]}]`;
  await writeFile(join(directory, 'ceph.conf'), formatConfiguration(start, clusterId, monitor));
  await Promise.all(['mon', 'osd', 'run', 'log'].map((name) => mkdir(join(directory, name))));
  const here = ['-c', 'ceph.conf'];
  const command = (program: string, ...args: readonly string[]) =>
    run(program, [...args], { cwd: directory, timeout: COMMAND_MS });
  const key = (name: string, ...capabilities: readonly string[]) =>
    command(
      'ceph-authtool',
      'keyring',
      '--gen-key',
      '-n',
      name,
      ...capabilities.flatMap((cap) => ['--cap', ...cap.split(/ (.*)/, 2)]),
    );

  await command('ceph-authtool', '--create-keyring', 'keyring');
  await key('mon.', 'mon allow *');
  await key('client.admin', 'mon allow *', 'osd allow *');
  await key('client.rgw', 'mon allow rwx', 'osd allow rwx');
  await key('osd.0', 'mon allow profile osd', 'osd allow *');
  await command('monmaptool', '--create', '--addv', 'a', monitor, '--fsid', clusterId, 'monmap');
  await command('ceph-mon', '--mkfs', '-i', 'a', '--monmap', 'monmap', '--keyring', 'keyring', ...here);
  keep('ceph-mon', ['-i', 'a', '-f', '-c', join(directory, 'ceph.conf')]);

  const storeId = randomUUID();
  await command('ceph', ...here, 'osd', 'new', storeId);
  await command('ceph', ...here, 'auth', 'add', 'osd.0', '-i', 'keyring');
  await command('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', storeId, ...here);
  keep('ceph-osd', ['-i', '0', '-f', '-c', join(directory, 'ceph.conf')]);
  keep('radosgw', ['-n', 'client.rgw', '-f', '-c', join(directory, 'ceph.conf')]);
  await untilServed();
  const keys = ['--access-key', start.accessKey, '--secret-key', start.secretKey];
  await command(
    'radosgw-admin',
    ...here,
    '-n',
    'client.rgw',
    'user',
    'create',
    '--uid',
    'test',
    '--display-name',
    'test',
    ...keys,
  );
  return {
    async setFull(isFull) {
      await command('ceph', ...here, 'tell', 'osd.0', 'injectfull', isFull ? 'full' : 'none');
      await until(`Ceph counts as ${isFull ? 'full' : 'free'}`, async () => {
        const { stdout } = await command('ceph', ...here, 'osd', 'dump', '--format', 'json');
        const { osds } = JSON.parse(stdout) as { readonly osds: readonly { readonly state: readonly string[] }[] };
        return osds.every(({ state }) => state.includes('full') === isFull);
      });
    },
  };
}

function formatConfiguration({ directory, ports, domain }: S3Start, clusterId: string, monitor: string): string {
  return `[global]
fsid = ${clusterId}
keyring = ${directory}/keyring
mon host = ${monitor}
mon initial members = a
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
public addr = 127.0.0.1
mon data = ${directory}/mon
osd data = ${directory}/osd
run dir = ${directory}/run
admin socket = ${directory}/run/$cluster-$name.$pid.asok
pid file = ${directory}/run/$name.pid
log file = ${directory}/log/$name.log
# One copy on one store, in memory: it lives as long as a test.
mon allow pool size one = true
mon max pg per osd = 1000
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 1073741824
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${ports[0]} tcp_nodelay=1
${domain === undefined ? '' : `rgw dns name = ${domain}\n`}`;
}
