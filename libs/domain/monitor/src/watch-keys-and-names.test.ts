import { describe, expect, it } from '@jest/globals';
import { createFixtureLog, type LogChanges } from '../fixtures/fixture-log.ts';
import { createMonitor, kept, kinds, log } from '../fixtures/fixture-monitor.ts';

describe('keys', () => {
  const rotation: LogChanges = {
    types: { 100: 'ledger_key_changed', 200: 'ledger_key_changed' },
    keys: [
      { seed: 1, first: 0, last: 200 },
      { seed: 2, first: 101, last: null },
    ],
  };
  const rotated = createFixtureLog(rotation);
  const stranger = createFixtureLog({ keys: [{ seed: 3, first: 0, last: null }] });

  it('that were rotated and are in the trust file are no finding', async () => {
    const monitor = createMonitor(rotated.trust());
    for (const size of [100, 101, 200, 201, 300])
      expect(await monitor.look(rotated.serve(size))).toMatchObject({ findings: [], notices: [] });
  });

  it('that the log announced are a notice until the pinned key signs no more, and then a finding', async () => {
    const monitor = createMonitor(log.trust());
    await monitor.look(rotated.serve(100));
    const overlap = await monitor.look(rotated.serve(150));
    expect(overlap).toMatchObject({ findings: [], notices: [expect.stringMatching(/does not know, at leaf 100;/)] });
    const after = await monitor.look(rotated.serve(201));
    expect(kinds(after)).toEqual(['unknown_key']);
    expect(after.findings[0]?.detail).toMatch(/announced a change .* at leaf 100; compare/);
    // With a new trust file it goes on.
    expect(await monitor.look(rotated.serve(300), 1, { trust: rotated.trust() })).toMatchObject({ findings: [] });
  });

  it('that were retired after the trust file was made are a notice when the log announced it, else found', async () => {
    const pins = rotated.trust().logs.map(({ origin, keys }) => {
      return { origin, keys: keys.map((key) => ({ ...key, last_tree_size: null })) };
    });
    const monitor = createMonitor({ ...rotated.trust(), logs: pins }, { kept: [kept(rotated, 210, 220)] });
    await monitor.look(rotated.serve(150));
    const after = await monitor.look(rotated.serve(250));
    expect(after).toMatchObject({ findings: [], notices: [expect.stringMatching(/does not know, at leaf 200;/)] });
    expect(monitor.state()?.proven).toHaveLength(1);

    const silent = createFixtureLog({ ...rotation, types: { 100: 'ledger_key_changed' } });
    const other = createMonitor({ ...rotated.trust(), logs: pins });
    await other.look(silent.serve(150));
    expect(kinds(await other.look(silent.serve(250)))).toEqual(['unknown_key']);
  });

  it('that sign beside the pinned one without an entry of the log are found', async () => {
    const both = createFixtureLog({
      keys: [
        { seed: 1, first: 0, last: null },
        { seed: 2, first: 101, last: null },
      ],
    });
    const monitor = createMonitor(log.trust());
    expect(kinds(await monitor.look(both.serve(100)))).toEqual([]);
    expect(kinds(await monitor.look(both.serve(101)))).toEqual(['unknown_key']);
    // Nor does it help that the trust file names it: the log does not.
    expect(kinds(await monitor.look(both.serve(101), 1, { trust: both.trust() }))).toEqual(['unknown_key']);
  });

  it('that nobody pinned are found, and never followed', async () => {
    const monitor = createMonitor(log.trust());
    expect(kinds(await monitor.look(stranger.serve(10)))).toEqual(['unknown_key']);
    expect(monitor.state()).toBeUndefined();
    expect(kinds(await monitor.look(createFixtureLog({ origin: 'log.example/other/1' }).serve(10)))).toEqual([
      'unknown_key',
    ]);
  });

  it('do not vouch for an altered checkpoint', async () => {
    const altered = log.note(10).replace('\n10\n', '\n11\n');
    expect(kinds(await createMonitor(log.trust()).look(log.serve(11, [], altered)))).toEqual(['invalid_log']);
    expect(kinds(await createMonitor(log.trust()).look(log.serve(11, [], 'nothing')))).toEqual(['invalid_log']);
  });
});

describe('another name', () => {
  const types = { 150: 'epoch_opened' } as const;
  const earlier = createFixtureLog({ types });
  const named = createFixtureLog({
    types,
    origin: 'log.example/demo/11111111',
    keys: [{ seed: 1, first: 0, last: null }],
  });
  const trust = { ...named.trust(), logs: [...named.trust().logs, ...earlier.trust().logs] };

  it('is followed when the tree goes on', async () => {
    const monitor = createMonitor(trust, { kept: [kept(earlier, 20, 120)] });
    await monitor.look(earlier.serve(120));
    expect(await monitor.look(named.serve(160))).toMatchObject({ findings: [], notices: [] });
    expect(monitor.state()?.earlier).toEqual([{ origin: earlier.origin, tree_size: 120 }]);
    // The earlier name does not come back.
    expect(kinds(await monitor.look(earlier.serve(200)))).toEqual(['rollback']);
  });

  it('that the trust file does not name is found', async () => {
    const monitor = createMonitor(earlier.trust());
    await monitor.look(earlier.serve(120));
    expect(kinds(await monitor.look(named.serve(160)))).toEqual(['unknown_key']);
  });

  it('without an entry that opens it is found', async () => {
    const silent = createFixtureLog({ origin: named.origin });
    const monitor = createMonitor(trust);
    await monitor.look(log.serve(120));
    expect(kinds(await monitor.look(silent.serve(160)))).toEqual(['unknown_key']);
  });

  it('reports once what was lost, then goes on from what there is, and names the receipts that are lost', async () => {
    const lost = createFixtureLog({ forkAt: 149 });
    const monitor = createMonitor(trust);
    await monitor.look(lost.serve(180));
    const watched = await monitor.look(named.serve(160));
    expect(kinds(watched)).toEqual(['rollback']);
    expect(watched.findings[0]?.evidence?.checkpoints).toEqual([lost.note(180), named.note(160)]);
    const receipts = [kept(lost, 170, 180), kept(earlier, 20, 120)];
    const after = await monitor.look(named.serve(161), 1, { kept: receipts });
    expect(kinds(after)).toEqual(['missing_entry']);
    expect(after.findings[0]?.detail).toMatch(/leaf 170 .* the log goes on without it$/);
  });
});
