import { describe, expect, it } from '@jest/globals';
import { type MonitoredLog, monitorState, type TrustFile } from '@answer-evidence/contracts';
import { parseHex } from '@answer-evidence/encoding';
import { verifyConsistency } from '@answer-evidence/merkle';
import { parseNote } from '@answer-evidence/note';
import { createFixtureWitness } from '../../witness/fixtures/fixture-log.ts';
import { createFixtureLog, type FixtureLog, type LogChanges, verifyEd25519 } from '../fixtures/fixture-log.ts';
import { type KeptLeaf, readLeaf } from './kept-leaves.ts';
import { readVerified } from './signed-checkpoint.ts';
import { type Watched, watchLog, type WatchOptions } from './watch-log.ts';

const MINUTE = 60_000_000;
const START = 1_763_629_200_000_000;

/** A monitor that keeps what it has verified, as the command does. `at` is minutes after the start. */
function createMonitor(trust: TrustFile, more: Partial<WatchOptions> = {}) {
  let known: MonitoredLog | undefined;
  return {
    state: () => known,
    async look(read: WatchOptions['read'], at = 0, changes: Partial<WatchOptions> = {}): Promise<Watched> {
      const watched = await watchLog(known, {
        source: 'https://log.example/tlog/demo',
        read,
        trust,
        verify: verifyEd25519,
        now: START + at * MINUTE,
        stall: null,
        grace: 10 * MINUTE,
        kept: [],
        canGoOn: () => true,
        keep: (log) => {
          known = log;
          return Promise.resolve();
        },
        ...more,
        ...changes,
      });
      known = watched.log;
      return watched;
    },
  };
}

const log = createFixtureLog();
const kinds = ({ findings }: Watched) => findings.map(({ kind }) => kind);
const read = (leaf: KeptLeaf) => {
  const result = readLeaf(leaf);
  if ('kind' in result) throw new Error(result.detail);
  return result;
};
const kept = (of: FixtureLog, index: number, size: number, entry = of.entry(index)) =>
  read({ name: `leaf-${index}.tlog-proof`, receipt: of.receipt(index, size), entry });

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
