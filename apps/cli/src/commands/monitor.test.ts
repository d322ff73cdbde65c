import { describe, expect, it } from '@jest/globals';
import type { FindingKind } from '@answer-evidence/contracts';
import { createFixtureLog, type FixtureLog } from '../../../../libs/domain/monitor/fixtures/fixture-log.ts';
import { createMachine, fork, HOOK, log, type Network, URL_OF_LOG } from '../fixtures/monitored-machine.ts';

const HOUR = 3_600_000_000;

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
});
