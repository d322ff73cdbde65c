import { describe, expect, it } from '@jest/globals';
import { type FindingKind, monitorState } from '@answer-evidence/contracts';
import { createFixtureLog, type FixtureLog } from '../../../../libs/domain/monitor/fixtures/fixture-log.ts';
import type { Report } from '../monitor/report.ts';
import { runCli } from '../run-cli.ts';
import { createMemoryIo, type MemoryWorld } from '../testing/memory-io.ts';

const URL_OF_LOG = 'https://log.example/tlog/demo';
const HOOK = 'https://hooks.example/T0/the-secret-of-the-hook';
const START = 1_763_629_200_000_000;
const HOUR = 3_600_000_000;
const log = createFixtureLog();
const fork = createFixtureLog({ forkAt: 5 });

/** What the network does: the log that is shown, whether it can be reached, and what the webhook takes. */
type Network = {
  log?: FixtureLog;
  size?: number;
  isDown?: boolean;
  hook?: () => Response;
  /** What the host answers instead, by the path below the log; undefined for what the log has. */
  wrongly?: (path: string, redirect: string | undefined) => Response | undefined;
};

/** A machine on which the command runs again and again. */
function createMachine(world: MemoryWorld = {}) {
  const network: Network = { log, size: 10 };
  const posts: Report[] = [];
  const clock = { now: START };
  const memory = createMemoryIo({
    ...world,
    files: { '/t.json': JSON.stringify(log.trust()), ...world.files },
    now: () => clock.now,
    fetch: async (input, init) => {
      const url = typeof input === 'string' ? input : '';
      if (url === HOOK) {
        const response = network.hook?.() ?? new Response(null, { status: 204 });
        if (response.ok && typeof init?.body === 'string') posts.push(JSON.parse(init.body) as Report);
        return response;
      }
      if (network.isDown === true) throw new TypeError('fetch failed');
      expect(new Headers(init?.headers).get('authorization')).toBeNull();
      const path = url.slice(URL_OF_LOG.length + 1);
      const wrong = network.wrongly?.(path, init?.redirect);
      if (wrong !== undefined) return wrong;
      const bytes = await network.log?.serve(network.size ?? 0)(path);
      return bytes === undefined ? new Response(null, { status: 404 }) : new Response(Buffer.from(bytes));
    },
  });
  let printed = 0;
  let noted = 0;
  return {
    network,
    posts,
    clock,
    files: memory.files,
    state: () => monitorState.parse(JSON.parse(memory.files.get('/m/state.json') ?? 'null')),
    async look(...more: readonly string[]) {
      const argv = [
        'monitor',
        URL_OF_LOG,
        '--state',
        '/m/state.json',
        '--trust',
        '/t.json',
        '--once',
        '--json',
        ...more,
      ];
      const exitCode = await runCli(argv, memory.io);
      const lines = memory.stdout().slice(printed).trim().split('\n');
      const stderr = memory.stderr().slice(noted);
      printed = memory.stdout().length;
      noted = memory.stderr().length;
      const reports = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Report);
      return {
        exitCode,
        reports,
        stderr,
        kinds: reports.flatMap(({ findings }) => findings.map(({ kind }) => kind)),
      };
    },
  };
}

describe('monitor', () => {
  it('follows a log with a trust file and its own state, without a token or a configuration', async () => {
    const machine = createMachine();
    const first = await machine.look();
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.reports).toEqual([
      expect.objectContaining({
        format: 'answer-evidence-monitor-report/v1',
        source: URL_OF_LOG,
        origin: log.origin,
        tree_size: 10,
        outcome: 'ok',
        findings: [],
      }),
    ]);
    machine.network.size = 300;
    expect(await machine.look()).toMatchObject({ exitCode: 0, reports: [{ tree_size: 300 }] });
    expect(machine.state().logs).toMatchObject([{ source: URL_OF_LOG, checkpoint: log.note(300) }]);
  });

  it.each([
    ['fork', 4, (network: Network) => Object.assign(network, { log: fork, size: 20 })],
    ['rollback', 5, (network: Network) => Object.assign(network, { size: 9 })],
    [
      'unknown_key',
      6,
      (network: Network) =>
        Object.assign(network, { log: createFixtureLog({ keys: [{ seed: 4, first: 0, last: null }] }) }),
    ],
    ['stall', 9, () => undefined],
  ])('ends a %s with its own exit code, and keeps the state', async (kind, code, change) => {
    const machine = createMachine();
    await machine.look();
    const before = machine.state();
    change(machine.network);
    machine.clock.now += HOUR;
    const { exitCode, kinds } = await machine.look(...(kind === 'stall' ? ['--stall', '1h'] : []));
    expect({ exitCode, kinds }).toEqual({ exitCode: code, kinds: [kind] });
    expect(machine.state()).toEqual(before);
  });

  it('keeps both signed checkpoints of a fork in a file of their own', async () => {
    const machine = createMachine();
    await machine.look();
    Object.assign(machine.network, { log: fork, size: 20 });
    const path = (await machine.look()).reports[0]?.findings[0]?.evidence ?? '';
    expect(path).toMatch(/^\/m\/state\.json\.evidence\/fork-[0-9a-f]{16}\.json$/);
    expect(JSON.parse(machine.files.get(path) ?? '')).toMatchObject({
      format: 'answer-evidence-finding/v1',
      kind: 'fork',
      origin: log.origin,
      checkpoints: [log.note(10), fork.note(20)],
      prefix: { tree_size: 10 },
    });
    // The same contradiction is one file, however often it is seen.
    await machine.look();
    expect([...machine.files.keys()].filter((file) => file.includes('.evidence/'))).toEqual([path]);
  });

  it('tells a host that cannot be reached from a finding, and a stall from both', async () => {
    const machine = createMachine();
    machine.network.isDown = true;
    expect(await machine.look()).toMatchObject({ exitCode: 3, reports: [{ outcome: 'unreachable', findings: [] }] });
    machine.network.isDown = false;
    await machine.look();
    machine.network.isDown = true;
    expect(await machine.look('--stall', '1h')).toMatchObject({ exitCode: 3, kinds: [] });
    machine.clock.now += HOUR;
    expect(await machine.look('--stall', '1h')).toMatchObject({ exitCode: 9, kinds: ['stall'] });
  });

  it('checks a folder of receipts and bundles, and warns of those that are of no log that it follows', async () => {
    const other = createFixtureLog({ origin: 'log.example/other/00000000' });
    const bundle = (of: FixtureLog) => ({ record: { entry: of.entry(7), proof: of.receipt(7, 9) }, events: [] });
    const response = { receipt: log.receipt(6, 8), ledger: { entry: log.entry(6) } };
    const kept = {
      '/kept/a.tlog-proof': log.receipt(3, 8),
      '/kept/a.entry': `${log.entry(3)}\n`,
      '/kept/b.json': JSON.stringify(bundle(log)),
      '/kept/c.json': JSON.stringify(response),
      '/kept/d.tlog-proof': other.receipt(3, 8),
      '/kept/notes.txt': 'not ours',
    };
    const machine = createMachine({ files: kept });
    const first = await machine.look('--receipts', '/kept');
    expect(first).toMatchObject({ exitCode: 0, kinds: [] });
    expect(first.stderr).toBe(
      'd.tlog-proof is not checked: it is from log.example/other/00000000, which is none of the logs\n',
    );
    expect(machine.state().logs[0]?.proven).toHaveLength(3);

    const forked = createMachine({ files: { ...kept, '/kept/e.json': '{"record":', '/kept/f.json': '{}' } });
    forked.network.log = fork;
    const { exitCode, reports } = await forked.look('--receipts', '/kept');
    expect(exitCode).toBe(4);
    const detailsOf = (kind: FindingKind) =>
      (reports[0]?.findings ?? []).filter((finding) => finding.kind === kind).map(({ detail }) => detail);
    expect(detailsOf('missing_entry')).toEqual([
      'leaf 7 of b.json /record is not in the log: another leaf is in its place',
      'leaf 6 of c.json is not in the log: another leaf is in its place',
    ]);
    expect(detailsOf('invalid_receipt')).toEqual([
      'e.json does not hold: it has no receipt that can be read',
      'f.json does not hold: it has no receipt that can be read',
    ]);
  });

  it('posts new findings once, again after a day, and again when they come back', async () => {
    const machine = createMachine();
    const look = () => machine.look('--webhook', HOOK);
    await look();
    expect(machine.posts).toEqual([]);
    machine.network.size = 9;
    const { reports } = await look();
    expect(machine.posts).toEqual(reports);
    machine.clock.now += HOUR;
    await look();
    expect(machine.posts).toHaveLength(1);
    machine.clock.now += 24 * HOUR;
    await look();
    expect(machine.posts).toHaveLength(2);
    machine.network.size = 10;
    await look();
    machine.network.size = 9;
    await look();
    expect(machine.posts).toHaveLength(3);
  });

  it('posts again what the webhook did not take, and never shows its address', async () => {
    const machine = createMachine();
    await machine.look('--webhook', HOOK);
    machine.network.size = 9;
    let attempts = 0;
    machine.network.hook = () => {
      attempts++;
      return new Response(null, { status: 500 });
    };
    const failed = await machine.look('--webhook', HOOK);
    expect(failed).toMatchObject({ exitCode: 5, kinds: ['rollback'] });
    expect(failed.stderr).toBe('the webhook did not take the report; it is sent again at the next look\n');
    expect(attempts).toBe(3);
    delete machine.network.hook;
    expect((await machine.look('--webhook', HOOK)).stderr).toBe('');
    expect(machine.posts).toHaveLength(1);
  });

  it('forgets a log that was renamed with a loss only after somebody was told', async () => {
    const types = { 8: 'epoch_opened' } as const;
    const named = createFixtureLog({ types, forkAt: 8, origin: 'log.example/demo/11111111' });
    const trust = { ...log.trust(), logs: [...named.trust().logs, ...log.trust().logs] };
    const machine = createMachine({ files: { '/t.json': JSON.stringify(trust) } });
    await machine.look('--webhook', HOOK);
    Object.assign(machine.network, { log: named, size: 9, hook: () => new Response(null, { status: 500 }) });
    for (let n = 0; n < 2; n++) expect((await machine.look('--webhook', HOOK)).kinds).toEqual(['rollback']);
    delete machine.network.hook;
    expect((await machine.look('--webhook', HOOK)).kinds).toEqual(['rollback']);
    expect(machine.posts).toHaveLength(1);
    expect(await machine.look('--webhook', HOOK)).toMatchObject({ exitCode: 0, kinds: [] });
  });

  it.each([
    ['another monitor uses it', { locked: ['/m/state.json.lock'] }, /another monitor uses \/m\/state\.json; stop it/],
    [
      'it is damaged',
      { files: { '/m/state.json': '{"format":' } },
      /is not a state file of this monitor .*left as it is/,
    ],
    [
      'it is of another program',
      { files: { '/m/state.json': '{"format":"answer-evidence-monitor/v2","logs":[]}' } },
      /\/format .*restore it from a backup, or name another file/,
    ],
  ])('refuses a state file with a sentence when %s, and changes nothing', async (_, world, sentence) => {
    const machine = createMachine(world);
    const before = new Map(machine.files);
    const { exitCode, reports, stderr } = await machine.look();
    expect({ exitCode, reports }).toEqual({ exitCode: 2, reports: [] });
    expect(stderr).toMatch(sentence);
    expect(new Map(machine.files)).toEqual(before);
  });

  it.each([
    ['checkpoint', 'nothing'],
    ['grown_at', '2026-13-01T00:00:00.000000Z'],
    ['entries', { tree_size: 3, frontier: [] }],
    ['entries', { tree_size: 11, frontier: ['a', 'b', 'c'].map((digit) => digit.repeat(64)) }],
  ])('refuses a state whose %s no monitor has written', async (member, value) => {
    const machine = createMachine();
    await machine.look();
    const altered = { ...machine.state(), logs: [{ ...machine.state().logs[0], [member]: value }] };
    const other = createMachine({ files: { '/m/state.json': JSON.stringify(altered) } });
    const { exitCode, stderr } = await other.look();
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/is not a state file of this monitor \(.+\), and was left as it is/);
  });

  it('refuses a trust file with a key or a witness policy that cannot be read', async () => {
    const [pins] = log.trust().logs;
    const keys = [{ vkey: 'nothing', first_tree_size: 0, last_tree_size: null }];
    for (const trust of [{ logs: [{ ...pins, keys }] }, { witness_policy: 'nothing' }]) {
      const machine = createMachine({ files: { '/t.json': JSON.stringify({ ...log.trust(), ...trust }) } });
      const { exitCode, stderr } = await machine.look();
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(/^error: \/t\.json: .* cannot be read: /);
    }
  });

  it.each<[string, object, RegExp]>([
    ['without logs', { logs: [] }, /\/t\.json is not a trust file: \/logs/],
    ['without keys', { logs: [{ origin: log.origin, keys: [] }] }, /\/t\.json is not a trust file: \/logs\/0\/keys/],
  ])('refuses a trust file %s, and writes no state', async (_, members, sentence) => {
    const machine = createMachine({ files: { '/t.json': JSON.stringify({ ...log.trust(), ...members }) } });
    const { exitCode, reports, stderr } = await machine.look();
    expect({ exitCode, reports }).toEqual({ exitCode: 2, reports: [] });
    expect(stderr).toMatch(sentence);
    expect(machine.files.has('/m/state.json')).toBe(false);
  });

  it('refuses a state file that it may not read, and says so', async () => {
    const memory = createMemoryIo({ files: { '/t.json': JSON.stringify(log.trust()) } });
    const denied = Object.assign(new Error(), { code: 'EACCES' });
    const read = (path: string) => (path === '/m/state.json' ? Promise.reject(denied) : memory.io.files.read(path));
    const argv = ['monitor', URL_OF_LOG, '--state', '/m/state.json', '--trust', '/t.json', '--once'];
    expect(await runCli(argv, { ...memory.io, files: { ...memory.io.files, read } })).toBe(2);
    expect(memory.stderr()).toBe('error: /m/state.json: permission denied\n');
    expect(memory.stdout()).toBe('');
  });

  it.each<[string, number, NonNullable<Network['wrongly']>, RegExp]>([
    [
      'answers 500',
      3,
      () => new Response('oops', { status: 500 }),
      /no response from https:\/\/log\.example.*status 500/,
    ],
    [
      'redirects',
      3,
      (_, redirect) => {
        if (redirect === 'error') throw new TypeError('fetch failed', { cause: new Error('unexpected redirect') });
        return new Response(null, { status: 302 });
      },
      /no response from https:\/\/log\.example/,
    ],
    [
      'hangs until the time is up',
      3,
      () => {
        throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
      },
      /no response from https:\/\/log\.example/,
    ],
    [
      'shows a page instead of a note',
      10,
      (path) => (path === 'checkpoint' ? new Response('<!doctype html><title>Sign in</title>') : undefined),
      /checkpoint/,
    ],
    [
      'cuts a tile short',
      10,
      (path) => (path.startsWith('tile/') ? new Response(new Uint8Array(40)) : undefined),
      /truncated inside|too few/,
    ],
  ])('ends with a sentence, and keeps the state, when the host %s', async (_, code, wrongly, sentence) => {
    const machine = createMachine();
    await machine.look();
    const before = machine.state();
    Object.assign(machine.network, { wrongly, size: 300 });
    const { exitCode, reports, stderr } = await machine.look();
    const said = [stderr, ...reports.map((report) => JSON.stringify(report))].join('\n');
    expect({ exitCode, said }).toEqual({ exitCode: code, said: expect.stringMatching(sentence) });
    expect(machine.state()).toEqual(before);
  });

  it.each([
    [['--webhook', 'ftp://hooks.example'], /--webhook must be a URL/],
    [['--interval', '0'], /--interval must be at least 1s/],
    [['--stall', 'soon'], /--stall must be a number of seconds/],
    [['--receipts', '/nowhere'], /\/nowhere: no such file or folder/],
  ])('refuses %j', async (more, sentence) => {
    const { exitCode, stderr } = await createMachine().look(...more);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(sentence);
  });

  it('reads no more of a host than a log resource can be', async () => {
    let sent = 0;
    const endless = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += 65_536;
            controller.enqueue(new Uint8Array(65_536));
          },
        }),
      );
    const memory = createMemoryIo({
      files: { '/t.json': JSON.stringify(log.trust()) },
      fetch: async () => Promise.resolve(endless()),
    });
    const argv = ['monitor', URL_OF_LOG, '--state', '/s.json', '--trust', '/t.json', '--once'];
    expect(await runCli(argv, memory.io)).toBe(3);
    expect(sent).toBeLessThan(2 * 1_048_576);
    expect(memory.stdout()).toMatch(/unreachable {2}https:\/\/log\.example\/tlog\/demo: no response from/);
  });
});
