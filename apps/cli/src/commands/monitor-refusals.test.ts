import { describe, expect, it } from '@jest/globals';
import { createMachine, log, type Network, URL_OF_LOG } from '../fixtures/monitored-machine.ts';
import { runCli } from '../run-cli.ts';
import { createMemoryIo } from '../testing/memory-io.ts';

describe('monitor', () => {
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
