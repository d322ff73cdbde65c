import { describe, expect, it } from '@jest/globals';
import { CHECKS } from '@answer-evidence/contracts';
import { runCli } from '../run-cli.ts';
import { createMemoryIo } from '../testing/memory-io.ts';
import { createSignedBundle } from '../testing/signed-bundle.ts';

const signed = createSignedBundle();
const stranger = createSignedBundle();
const other = { ...signed.bundle.record.disclosed, answer: { text: 'The large one.', key: null } };
const files = {
  '/b.json': JSON.stringify(signed.bundle),
  '/altered.json': JSON.stringify({ ...signed.bundle, record: { ...signed.bundle.record, disclosed: other } }),
  '/t.json': JSON.stringify(signed.trust),
  '/elsewhere.json': JSON.stringify({
    ...signed.trust,
    logs: signed.trust.logs.map((log) => ({ ...log, origin: `${log.origin}0` })),
  }),
  '/stranger.json': JSON.stringify(stranger.trust),
  '/r.tlog-proof': signed.receipt,
  '/e': signed.entry,
  '/jq.tlog-proof': `${signed.receipt}\n`,
  '/jq.e': `${signed.entry}\n`,
  '/other.e': signed.entry.replace('"seq":0', '"seq":1'),
  '/text': 'neither JSON nor a receipt',
  '/object.json': '{"format":"something-else/v1"}',
};

/** Runs a command in a world where every request to a network fails the test. */
async function runOffline(argv: readonly string[]) {
  const world = createMemoryIo({
    files,
    fetch: () => {
      throw new Error('an offline command used the network');
    },
  });
  const exitCode = await runCli(argv, world.io);
  return { exitCode, stdout: world.stdout(), stderr: world.stderr() };
}

describe('verify', () => {
  it('shows every check, what it does not prove, and the pins, without network, configuration or token', async () => {
    const { exitCode, stdout, stderr } = await runOffline(['verify', '/b.json', '--trust', '/t.json']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const names = [...stdout.matchAll(/^(?:PASS|FAIL|SKIP|NA {2}) {2}(\w+)$/gm)].map((match) => match[1]);
    expect(names).toEqual(CHECKS);
    expect(stdout.match(/^ {6}Limit: \S/gm)).toHaveLength(CHECKS.length);
    expect(stdout).toContain(`pin used            ${signed.vkey}\n`);
    expect(stdout).toMatch(/^PASS {2}merkle_inclusion$/m);
    expect(stdout).toMatch(/^SKIP {2}event_completeness$/m);
    // The last line names what was not decided.
    expect(stdout).toMatch(/\n\d+ PASS, 0 FAIL, 2 SKIP \(event_completeness, log_order\), \d+ NA\n$/);
  });

  it.each([
    [
      ['--strict'],
      'event_completeness is SKIP, and --strict demands PASS\nNOT MET  log_order is SKIP, and --strict demands PASS',
    ],
    [['--require', 'event_completeness'], 'event_completeness is SKIP, and --require demands PASS'],
    [['--require', 'record_hash, anchored'], 'anchored is NA, and --require demands PASS'],
  ])('ends with 1 and names the demand that is not met: %j', async (demands, line) => {
    const { exitCode, stdout, stderr } = await runOffline(['verify', '/b.json', '--trust', '/t.json', ...demands]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: `NOT MET  ${line}\n` });
    expect(stdout).toMatch(/, 0 FAIL, /);
  });

  it('ends with 0 when every demand is met', async () => {
    const argv = ['verify', '/b.json', '--trust', '/t.json', '--require', 'record_hash', '--require', 'leaf_entry'];
    expect(await runOffline(argv)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('refuses a demand for a check that there is not', async () => {
    const argv = ['verify', '/b.json', '--trust', '/t.json', '--require', 'anchord'];
    const { exitCode, stdout, stderr } = await runOffline(argv);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('--require names no check of this command: anchord. The checks are: question_commitment,');
  });

  it('fails for a log that the trust file does not name', async () => {
    const { exitCode, stdout } = await runOffline(['verify', '/b.json', '--trust', '/elsewhere.json']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^FAIL {2}checkpoint_signature$/m);
  });

  it('takes the receipt that the caller kept', async () => {
    for (const receipt of ['/r.tlog-proof', '/jq.tlog-proof']) {
      const argv = ['verify', '/b.json', '--trust', '/t.json', '--receipt', receipt];
      const { exitCode, stdout } = await runOffline(argv);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/^PASS {2}receipt$/m);
    }
  });

  it('ends with 1 and names the check for an altered bundle', async () => {
    const { exitCode, stdout } = await runOffline(['verify', '/altered.json', '--trust', '/t.json']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^FAIL {2}answer_commitment$/m);
    expect(stdout).toMatch(/^PASS {2}question_commitment$/m);
  });

  it('gives programs the checks and the pins, and no verdict over them', async () => {
    const { stdout } = await runOffline(['verify', '/b.json', '--trust', '/t.json', '--output', 'json']);
    const result: unknown = JSON.parse(stdout);
    expect(result).toMatchObject({ pins: [signed.vkey], anchoring: 'NOT_ANCHORED' });
    const values = typeof result === 'object' && result !== null ? Object.values(result) : [];
    expect(values.filter((value) => typeof value === 'boolean')).toEqual([]);
  });

  it('never passes a signature of a key that is not pinned', async () => {
    const { exitCode, stdout } = await runOffline(['verify', '/b.json', '--trust', '/stranger.json']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^FAIL {2}checkpoint_signature$/m);
  });

  it.each([['/text'], ['/object.json']])('ends with 1 for %s, which is no evidence', async (bundle) => {
    const { exitCode, stdout, stderr } = await runOffline(['verify', bundle, '--trust', '/t.json']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^FAIL {2}/);
  });

  it.each([
    ['a trust file among the evidence', ['/b.json', '/t.json']],
    ['evidence and trust file swapped', ['/t.json', '--trust', '/b.json']],
    ['a bundle that is not there', ['/gone', '--trust', '/t.json']],
    ['a trust file that is not there', ['/b.json', '--trust', '/gone']],
    ['a trust file that is not one', ['/b.json', '--trust', '/b.json']],
    ['a receipt that is not there', ['/b.json', '--trust', '/t.json', '--receipt', '/gone']],
  ])('ends with 2 for %s', async (_, argv) => {
    expect(await runOffline(['verify', ...argv])).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('standard input for two files', () => {
  it.each([
    [['verify', '-', '--trust', '-']],
    [['verify', '/b.json', '--trust', '-', '--receipt', '-']],
    [['receipt', 'verify', '-', '--entry', '-', '--vkey', signed.vkey]],
  ])('%j ends with 2: what was read before is not evidence that is empty', async (argv) => {
    const stdin = argv.includes('receipt') ? signed.receipt : JSON.stringify(signed.trust);
    const world = createMemoryIo({ files, stdin });
    expect(await runCli(argv, world.io)).toBe(2);
    expect(world.stderr()).toBe('error: standard input (-) can be used for one file only\n');
    expect(world.stdout()).toBe('');
  });
});

describe('verify --tlog', () => {
  const argv = (bundle: string, source: string) => ['verify', bundle, '--trust', '/t.json', '--tlog', source];
  const denied = Object.assign(new Error(), { code: 'EACCES' });
  const broken = () => new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) });

  /** A world whose log is there, in a folder and on a host, and cannot be read. */
  async function runUnread(bundle: string, source: string) {
    const world = createMemoryIo({ files, fetch: () => Promise.resolve(new Response(broken())) });
    const read = (path: string) => (path.startsWith('/tlog/') ? Promise.reject(denied) : world.io.files.read(path));
    const exitCode = await runCli(argv(bundle, source), { ...world.io, files: { ...world.io.files, read } });
    return { exitCode, stdout: world.stdout(), stderr: world.stderr() };
  }

  it('reads no more from a host than a resource of a log can have', async () => {
    let pieces = 0;
    const endless = () =>
      new ReadableStream({
        pull: (controller) => {
          pieces += 1;
          controller.enqueue(new Uint8Array(1_000_000));
        },
      });
    const world = createMemoryIo({ files, fetch: () => Promise.resolve(new Response(endless())) });
    expect(await runCli(argv('/b.json', 'https://log.example'), world.io)).toBe(3);
    expect(world.stdout()).toMatch(/^SKIP {2}event_completeness$/m);
    expect(pieces).toBeLessThan(30);
  });

  it.each([['http://'], ['https://[']])('ends with 2 for %s, which is neither a URL nor a folder', async (source) => {
    expect(await runOffline(argv('/b.json', source))).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it.each([
    ['folder', '/tlog', 2, 'permission denied'],
    ['host', 'https://log.example', 3, 'no response from https://log.example'],
  ])('takes a %s that cannot be read for no fault of the evidence, and says so', async (_, source, code, words) => {
    const { exitCode, stdout, stderr } = await runUnread('/b.json', source);
    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: expect.stringContaining(words) });
    expect(stdout).toMatch(/^SKIP {2}event_completeness$/m);
    expect(stdout).toMatch(/, 0 FAIL, /);
    expect((await runUnread('/altered.json', source)).exitCode).toBe(1);
  });
});

describe('verify --tlog with a copy that lacks parts', () => {
  const hashes = signed.leafHashes.map((hash) => Buffer.from(hash));
  const tile = Buffer.concat(hashes);

  async function runWith(tiles: Record<string, Uint8Array>, ...more: readonly string[]) {
    const world = createMemoryIo({ files });
    const read = (path: string) => {
      const bytes = tiles[path];
      return bytes === undefined ? world.io.files.read(path) : Promise.resolve(bytes);
    };
    const argv = ['verify', '/b.json', '--trust', '/t.json', '--tlog', '/copy', ...more];
    const exitCode = await runCli(argv, { ...world.io, files: { ...world.io.files, read } });
    return { exitCode, stdout: world.stdout(), stderr: world.stderr() };
  }

  it('skips what could not be looked up, says what is missing, and names it in the last line', async () => {
    const { exitCode, stdout, stderr } = await runWith({ '/copy/tile/0/000.p/2': tile });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^SKIP {2}event_completeness\n {6}the given log lacks tile\/entries\/000\.p\/2: /m);
    expect(stdout).toMatch(/\n\d+ PASS, 0 FAIL, 2 SKIP \(event_completeness, log_order\), \d+ NA\n$/);
  });

  it('ends with 1 when PASS was demanded, so that a deleted tile hides nothing', async () => {
    const lacking = { '/copy/tile/0/000.p/2': tile };
    expect(await runWith(lacking, '--strict')).toMatchObject({
      exitCode: 1,
      stderr: ['event_completeness', 'log_order']
        .map((check) => `NOT MET  ${check} is SKIP, and --strict demands PASS\n`)
        .join(''),
    });
    expect(await runWith(lacking, '--require', 'event_completeness')).toMatchObject({ exitCode: 1 });
  });

  it('fails for hashes that are there and do not lead to the checkpoint', async () => {
    const wrong = Buffer.concat(hashes.toReversed());
    const { exitCode, stdout } = await runWith({ '/copy/tile/0/000.p/2': wrong });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^FAIL {2}event_completeness$/m);
  });

  it('ends with 2 for a place with nothing of the log, and with 1 when the evidence fails as well', async () => {
    const { exitCode, stdout, stderr } = await runWith({});
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr:
        'error: nothing of the log is at /copy: name the folder or URL that has "tile/", such as …/tlog/<workspace>\n',
    });
    expect(stdout).toMatch(/^SKIP {2}event_completeness$/m);
  });
});

describe('receipt verify', () => {
  const verify = (receipt: string, entry: string, vkey: string) =>
    runOffline(['receipt', 'verify', receipt, '--entry', entry, '--vkey', vkey]);

  it('passes a receipt with its entry, also when a tool has added a line break to the files', async () => {
    for (const [receipt, entry] of [['/r.tlog-proof', '/e'] as const, ['/jq.tlog-proof', '/jq.e'] as const]) {
      const { exitCode, stdout } = await verify(receipt, entry, signed.vkey);
      expect(exitCode).toBe(0);
      expect(stdout.match(/^PASS/gm)).toHaveLength(3);
      expect(stdout).toContain(`pin used  ${signed.vkey}\n`);
    }
  });

  it.each([
    ['another entry', '/r.tlog-proof', '/other.e', signed.vkey],
    ['another key', '/r.tlog-proof', '/e', stranger.vkey],
    ['a file that is no receipt', '/text', '/e', signed.vkey],
    ['a file that is no entry', '/r.tlog-proof', '/text', signed.vkey],
  ])('ends with 1 for %s', async (_, receipt, entry, vkey) => {
    const { exitCode, stdout } = await verify(receipt, entry, vkey);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^FAIL {2}/m);
  });

  it.each([
    ['a key that is not one', '/r.tlog-proof', '/e', 'log+0+x'],
    ['a receipt that is not there', '/gone', '/e', signed.vkey],
    ['an entry that is not there', '/r.tlog-proof', '/gone', signed.vkey],
  ])('ends with 2 for %s', async (_, receipt, entry, vkey) => {
    expect(await verify(receipt, entry, vkey)).toMatchObject({ exitCode: 2, stdout: '' });
  });
});
