import { describe, expect, it } from '@jest/globals';
import { monitorState } from '@answer-evidence/contracts';
import { parseHex } from '@answer-evidence/encoding';
import { verifyConsistency } from '@answer-evidence/merkle';
import { parseNote } from '@answer-evidence/note';
import { createFixtureWitness } from '../../witness/fixtures/fixture-log.ts';
import { createFixtureLog } from '../fixtures/fixture-log.ts';
import { createMonitor, kept, kinds, log, MINUTE, read } from '../fixtures/fixture-monitor.ts';
import { readVerified } from './signed-checkpoint.ts';

describe('a log that grows', () => {
  it.each([
    [1, 2],
    [255, 256],
    [256, 257],
    [300, 300],
    [300, 511],
    [300, 700],
    [512, 700],
  ])('is followed from %d to %d leaves, without reading an entry again', async (from, to) => {
    const monitor = createMonitor(log.trust());
    expect(await monitor.look(log.serve(from))).toMatchObject({ findings: [], notices: [] });
    const asked: string[] = [];
    expect(await monitor.look(log.serve(to, asked), 1)).toMatchObject({ findings: [], notices: [] });
    expect(readVerified(monitor.state()?.checkpoint ?? '').size).toBe(to);
    const bundles = asked.filter((path) => path.startsWith('tile/entries/'));
    expect(bundles).toHaveLength(from === to ? 0 : Math.ceil(to / 256) - Math.floor(from / 256));
    const state = { format: 'answer-evidence-monitor/v1', logs: [monitor.state()], reported: [] };
    expect(monitorState.safeParse(state).success).toBe(true);
  });

  it('is read in parts, each of them kept, when a look is bounded', async () => {
    const monitor = createMonitor(log.trust());
    expect(await monitor.look(log.serve(600), 0, { canGoOn: () => false })).toMatchObject({
      findings: [],
      notices: ['0 of 600 entries have been read'],
    });
    const sizes: (number | undefined)[] = [];
    await monitor.look(log.serve(600), 1, {
      keep: (state) => Promise.resolve(void sizes.push(state.entries.tree_size)),
    });
    expect(sizes).toEqual([0, 600]);
  });
});

describe('a fork', () => {
  it.each([
    [300, 300],
    [300, 301],
    [256, 700],
    [1, 2],
  ])('is found from %d to %d leaves, and its evidence holds by itself', async (from, to) => {
    const monitor = createMonitor(log.trust());
    await monitor.look(log.serve(from));
    const before = monitor.state();
    const other = createFixtureLog({ forkAt: Math.min(from - 1, 100) });
    const watched = await monitor.look(other.serve(to), 1);
    expect(kinds(watched)).toEqual(['fork']);
    expect(monitor.state()).toBe(before);
    const { checkpoints = [], prefix } = watched.findings[0]?.evidence ?? {};
    expect(checkpoints).toEqual([log.note(from), other.note(to)]);
    if (from === to) return expect(prefix).toBeNull();
    const [first, second] = checkpoints.map(readVerified);
    const root = parseHex(prefix?.root_hash ?? '');
    // The prefix of the larger tree is another than the smaller tree, and the proof shows that it is its prefix.
    expect(root).not.toEqual(first?.root);
    verifyConsistency(
      from,
      to,
      root,
      second?.root ?? root,
      (prefix?.proof ?? []).map((hash) => parseHex(hash)),
    );
  });

  it('is found by a kept receipt at the first look, and names the missing leaf', async () => {
    const other = createFixtureLog({ forkAt: 100 });
    for (const entry of [log.entry(150), undefined]) {
      const receipt = read({ name: 'r', receipt: log.receipt(150, 200), ...(entry === undefined ? {} : { entry }) });
      const watched = await createMonitor(log.trust(), { kept: [receipt] }).look(other.serve(300));
      expect(kinds(watched)).toEqual(['fork', 'missing_entry']);
    }
    const before = await createMonitor(log.trust(), { kept: [kept(log, 50, 200)] }).look(other.serve(300));
    expect(kinds(before)).toEqual(['fork']);
  });
});

describe('a log that goes back', () => {
  it('is found, with the leaves that are lost, and the state stays at the larger tree', async () => {
    const monitor = createMonitor(log.trust(), { kept: [kept(log, 290, 300), kept(log, 10, 20)] });
    await monitor.look(log.serve(300));
    const watched = await monitor.look(log.serve(299), 1);
    expect(kinds(watched)).toEqual(['rollback', 'missing_entry']);
    expect(watched.findings[0]).toMatchObject({
      detail: 'the log shows 299 leaves, but it has signed 300',
      evidence: { checkpoints: [log.note(299), log.note(300)], prefix: null },
    });
    expect(readVerified(monitor.state()?.checkpoint ?? '').size).toBe(300);
    expect(kinds(await monitor.look(log.serve(301), 2))).toEqual([]);
  });

  it('is found when it shows nothing any more', async () => {
    const monitor = createMonitor(log.trust());
    const nothing = () => Promise.resolve(undefined);
    expect(await monitor.look(nothing)).toMatchObject({
      findings: [],
      notices: [expect.stringMatching(/not published/)],
    });
    await monitor.look(log.serve(10));
    expect(kinds(await monitor.look(nothing, 1))).toEqual(['rollback']);
  });
});

describe('cosignatures', () => {
  const witness = createFixtureWitness('witness.example/w1', 7);
  const trust = log.trust({ witness_policy: `witness w1 ${witness.vkey}\nquorum w1\n` });
  const line = (size: number) => witness.line(parseNote(log.note(size)).text);
  const cosigned = (size: number) => log.note(size) + line(size);

  it('of a quorum are no finding; without them there is one after a time', async () => {
    const monitor = createMonitor(trust);
    expect(await monitor.look(log.serve(10, [], cosigned(10)))).toMatchObject({ findings: [], notices: [] });
    expect(await monitor.look(log.serve(11), 1)).toMatchObject({
      findings: [],
      notices: ['cosigned by no witness so far, which is not the quorum'],
    });
    expect(kinds(await monitor.look(log.serve(12), 11))).toEqual(['missing_cosignature']);
    expect(await monitor.look(log.serve(12, [], cosigned(12)), 12)).toMatchObject({ findings: [], notices: [] });
    expect(kinds(await monitor.look(log.serve(13), 13))).toEqual([]);
  });

  it('that are wrong are found at once', async () => {
    const wrong = log.note(11) + line(10);
    expect(kinds(await createMonitor(trust).look(log.serve(11, [], wrong)))).toEqual(['missing_cosignature']);
  });
});

describe('a cosignature that is older than a leaf under its tree', () => {
  const witness = createFixtureWitness('witness.example/w1', 7);
  const trust = log.trust({ witness_policy: `witness w1 ${witness.vkey}\nquorum w1\n` });
  const dated = (size: number, time: number) => log.note(size) + witness.line(parseNote(log.note(size)).text, time);

  it('is found at once, and again in a round that reads nothing new', async () => {
    const monitor = createMonitor(trust);
    for (const minute of [0, 1]) {
      const { findings } = await monitor.look(log.serve(11, [], dated(11, 0)), minute);
      expect(findings).toMatchObject([
        { kind: 'missing_cosignature', detail: expect.stringMatching(/^the cosignature of w1 states 1970-.*leaf 10 /) },
      ]);
    }
    expect(kinds(await monitor.look(log.serve(11, [], dated(11, 9e9)), 2))).toEqual([]);
  });
});

describe('a log that stands still', () => {
  it('is found after the time that was given, and not before', async () => {
    const monitor = createMonitor(log.trust(), { stall: 60 * MINUTE });
    await monitor.look(log.serve(10));
    expect(kinds(await monitor.look(log.serve(10), 59))).toEqual([]);
    expect(kinds(await monitor.look(log.serve(10), 60))).toEqual(['stall']);
    expect(kinds(await monitor.look(log.serve(11), 61))).toEqual([]);
    // Whatever else is wrong does not hide it.
    expect(kinds(await monitor.look(log.serve(10), 130))).toEqual(['rollback', 'stall']);
  });
});

describe('a log that does not serve what it signed', () => {
  const breaks: readonly (readonly [string, (path: string) => boolean])[] = [
    ['hashes', (path) => path.startsWith('tile/0/')],
    ['entries', (path) => path.startsWith('tile/entries/')],
  ];
  it.each(breaks)('is found when its %s are missing, altered or short', async (_, isBroken) => {
    const honest = log.serve(300);
    const spoil: readonly ((bytes: Uint8Array | undefined) => Uint8Array | undefined)[] = [
      () => undefined,
      (bytes) => bytes?.map((byte, n) => (n === 40 ? byte ^ 1 : byte)),
      (bytes) => bytes?.subarray(0, 40),
    ];
    for (const change of spoil) {
      const monitor = createMonitor(log.trust());
      await monitor.look(log.serve(20));
      const read = async (path: string) => (isBroken(path) ? change(await honest(path)) : honest(path));
      expect(kinds(await monitor.look(read, 1))).toEqual(['invalid_log']);
      // What was not proven is not kept, and an honest answer is followed.
      expect(await monitor.look(honest, 2)).toMatchObject({ findings: [], notices: [] });
    }
  });

  it('is no finding when it cannot be reached', async () => {
    const monitor = createMonitor(log.trust());
    await monitor.look(log.serve(20));
    await expect(monitor.look(() => Promise.reject(new Error('unreachable')), 1)).rejects.toThrow('unreachable');
    expect(readVerified(monitor.state()?.checkpoint ?? '').size).toBe(20);
  });
});
