import { describe, expect, it } from '@jest/globals';
import { createFixtureLog } from '../fixtures/fixture-log.ts';
import { createMonitor, kept, kinds, log, read } from '../fixtures/fixture-monitor.ts';
import { readLeaf } from './kept-leaves.ts';

describe('kept receipts', () => {
  it('are proven once, and not read from the tiles again', async () => {
    const monitor = createMonitor(log.trust(), { kept: [kept(log, 20, 30), kept(log, 299, 300)] });
    expect(await monitor.look(log.serve(300))).toMatchObject({ findings: [], notices: [] });
    expect(monitor.state()?.proven).toHaveLength(2);
    const asked: string[] = [];
    await monitor.look(log.serve(300, asked));
    expect(asked).toEqual(['checkpoint']);
  });

  it('that are newer than the checkpoint are waited for, and then missing', async () => {
    const monitor = createMonitor(log.trust(), { kept: [kept(log, 310, 320), kept(log, 330, 340)] });
    expect(await monitor.look(log.serve(300))).toMatchObject({
      findings: [],
      notices: ['2 kept leaves are newer than the checkpoint'],
    });
    expect(kinds(await monitor.look(log.serve(300), 9))).toEqual([]);
    expect(kinds(await monitor.look(log.serve(301), 10))).toEqual(['missing_entry', 'missing_entry']);
    // The log has caught up with the first, so the second is waited for from now on.
    expect(kinds(await monitor.look(log.serve(325), 11))).toEqual([]);
    expect(kinds(await monitor.look(log.serve(340), 60))).toEqual([]);
    expect(monitor.state()?.awaited).toBeNull();
  });

  it.each([
    ['of another key', createFixtureLog({ keys: [{ seed: 3, first: 0, last: null }] }).receipt(5, 10), log.entry(5)],
    ['of another entry', log.receipt(5, 10), log.entry(6)],
    ['cut short', log.receipt(5, 10).replace(/\n[^\n]+\n\n/, '\n\n'), log.entry(5)],
    ['cut short, without an entry', log.receipt(5, 10).replace(/\n[^\n]+\n\n/, '\n\n'), undefined],
  ])('%s do not hold', async (_, receipt, entry) => {
    const file = read({ name: 'r', receipt, ...(entry === undefined ? {} : { entry }) });
    expect(kinds(await createMonitor(log.trust(), { kept: [file] }).look(log.serve(20)))).toEqual(['invalid_receipt']);
  });
});

describe('kept files', () => {
  it('that are no receipt are found when they are read', () => {
    expect(readLeaf({ name: 'r', receipt: 'nothing' })).toMatchObject({ kind: 'invalid_receipt', leaf: 'r' });
  });

  it('of other logs are left alone', async () => {
    const other = createFixtureLog({ origin: 'log.example/other/00000000' });
    const trust = { ...log.trust(), logs: [...log.trust().logs, ...other.trust().logs] };
    const watched = await createMonitor(trust, { kept: [kept(other, 5, 10)] }).look(log.serve(3));
    expect(watched).toMatchObject({ findings: [], notices: [] });
  });
});
