import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { ServiceError } from '@answer-evidence/contracts';
import type { Workspace } from '@answer-evidence/ports';
import { prepareAnswer } from '../fixtures/answers.ts';
import { prepareNote, prepareToken } from '../fixtures/changes.ts';
import { openCuttingProxy } from '../fixtures/cutting-proxy.ts';
import { holdHead } from '../fixtures/head-lock.ts';
import { openTestLog, type TestLog } from '../fixtures/open-log.ts';
import { createRecordStore, openPool, type PostgresLedger } from './index.ts';
import { type Patience, readWorkspace } from './session.ts';

const APP = { role: 'answer_evidence_app', connectionsMax: 2, onError: () => undefined } as const;

let log: TestLog;

beforeAll(async () => {
  log = await openTestLog();
});

afterEach(async () => {
  expect((await log.check()).findings).toEqual([]);
});

afterAll(async () => {
  await log.close();
});

async function recordsOf(question: string): Promise<number> {
  const { rows } = await log.owner.query<{ n: number }>(
    'select count(*) as n from answer_evidence.answer_records where idempotency_key = $1',
    [question],
  );
  return rows[0]?.n ?? -1;
}

function create(ledger: PostgresLedger, question: string) {
  return ledger.append(log.workspace.id, prepareAnswer(log, { question, key: question }));
}

/** The code of a refusal, or what became of the request. */
async function saidOf(request: Promise<{ readonly kind: string }>): Promise<string> {
  try {
    return (await request).kind;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

describe('a row that the database refuses', () => {
  it.each([true, false])('falls on its own request alone, with predict %s', async (predict) => {
    const ledger = log.openLedger({ predict });
    await ledger.append(log.workspace.id, prepareNote(log));
    const name = `token, predict ${predict}`;
    const token = () => ledger.append(log.workspace.id, prepareToken(log, name, log.newId()));
    const others = Array.from({ length: 7 }, (_, n) => `beside the guilty, ${predict} ${n}`);
    const nul = ledger.append(log.workspace.id, prepareAnswer(log, { question: 'nul', columns: { mode: 'a\0b' } }));
    const requests = [token(), ...others.slice(0, 4).map((q) => create(ledger, q)), token(), nul];
    const rest = others.slice(4).map((q) => create(ledger, q));
    const said = await Promise.all([...requests, ...rest].map(saidOf));
    expect(said).toEqual([
      'appended',
      ...others.slice(0, 4).map(() => 'appended'),
      'name_taken',
      '22021',
      ...others.slice(4).map(() => 'appended'),
    ]);
    for (const question of others) expect(await recordsOf(question)).toBe(1);
  });
});

describe('a request that cannot even be decided', () => {
  it.each([true, false])('fails alone, with predict %s', async (predict) => {
    const ledger = log.openLedger({ predict });
    await ledger.append(log.workspace.id, prepareNote(log));
    const others = Array.from({ length: 6 }, (_, n) => `beside the bug, ${predict} ${n}`);
    const bug = ledger.append(log.workspace.id, () => ({
      ...prepareNote(log)(),
      decide() {
        throw new RangeError('a bug');
      },
    }));
    const said = await Promise.all([...others.map((question) => create(ledger, question)), bug].map(saidOf));
    expect(said).toEqual([...others.map(() => 'appended'), 'RangeError: a bug']);
    for (const question of others) expect(await recordsOf(question)).toBe(1);
  });
});

describe('a head that another session holds', () => {
  it('is waited for', async () => {
    const ledger = log.openLedger();
    const lock = await holdHead(log);
    const request = create(ledger, 'waited');
    await lock.waiter();
    await lock.release();
    expect((await request).kind).toBe('appended');
  });

  it('for longer than three tries makes the request fail with nothing kept, and the same request succeeds later', async () => {
    const pool = openPool({ ...APP, url: log.logins.answer_evidence_app });
    // Three of the real time-out are longer than a transaction may stay idle, which is what holds the head.
    pool.on('connect', (client) => void client.query(`set lock_timeout = '50ms'`));
    try {
      const ledger = log.openLedger({ pool });
      const lock = await holdHead(log);
      expect(await saidOf(create(ledger, 'held'))).toBe('ledger_unavailable');
      await lock.release();
      expect(await recordsOf('held')).toBe(0);
      expect(await saidOf(create(ledger, 'held'))).toBe('appended');
    } finally {
      await pool.end();
    }
  });

  it('lets only so many wait: more are turned away at once, and those who wait are served', async () => {
    const ledger = log.openLedger();
    await ledger.append(log.workspace.id, prepareNote(log));
    const lock = await holdHead(log);
    const turnedAway: Promise<string>[] = [];
    let first: (code: string) => void = () => undefined;
    const someone = new Promise<string>((resolve) => (first = resolve));
    for (let n = 0; n < 4_096 + 600; n++) {
      const said = saidOf(ledger.append(log.workspace.id, prepareNote(log)));
      turnedAway.push(said);
      void said.then((code) => code === 'overloaded' && first(code));
    }
    expect(await someone).toBe('overloaded');
    await lock.release();
    const said = await Promise.all(turnedAway);
    const counts = { appended: 0, overloaded: 0 };
    for (const code of said) counts[code as keyof typeof counts] += 1;
    expect(counts.appended + counts.overloaded).toBe(said.length);
    expect(counts.appended).toBeGreaterThanOrEqual(4_096);
    expect(counts.overloaded).toBeGreaterThan(0);
  });
});

describe('requests that are large', () => {
  it('wait only as long as memory lasts: more are turned away at once, and those who wait are served', async () => {
    const ledger = log.openLedger();
    await ledger.append(log.workspace.id, prepareNote(log));
    const lock = await holdHead(log);
    const large = () =>
      saidOf(ledger.append(log.workspace.id, () => ({ ...prepareNote(log)(), sizeBytes: 1024 ** 2 })));
    const said = Array.from({ length: 200 }, large);
    expect(await said.at(-1)).toBe('overloaded');
    await lock.release();
    const all = await Promise.all(said);
    const appended = all.filter((one) => one === 'appended').length;
    expect(all.filter((one) => one === 'overloaded').length).toBe(all.length - appended);
    expect(appended).toBeGreaterThanOrEqual(128);
    // What was served makes room again.
    expect(new Set(await Promise.all(Array.from({ length: 100 }, large)))).toEqual(new Set(['appended']));
  });
});

describe('a session that an administrator ends', () => {
  it('while it waits for the head is replaced, and its request kept once', async () => {
    const ledger = log.openLedger();
    await ledger.append(log.workspace.id, prepareNote(log));
    const lock = await holdHead(log);
    const request = create(ledger, 'terminated');
    const pid = await lock.waiter();
    await log.owner.query('select pg_terminate_backend($1)', [pid]);
    await lock.release();
    expect((await request).kind).toBe('appended');
    expect(await recordsOf('terminated')).toBe(1);
  });
});

describe('a signature that fails', () => {
  it('leaves the record in the log, says so, and the replay delivers', async () => {
    let fails = true;
    const broken = (workspace: Workspace): Workspace => ({
      ...workspace,
      vault: {
        ...workspace.vault,
        firstLedgerKey: {
          ...workspace.vault.firstLedgerKey,
          sign(message) {
            if (fails) throw new Error('the signing device is unavailable');
            return workspace.vault.firstLedgerKey.sign(message);
          },
        },
      },
    });
    const directory = { ...log.directory, get: async (id: string) => broken(await log.directory.get(id)) };
    const ledger = log.openLedger({ directory });
    expect(await saidOf(create(ledger, 'unsigned'))).toBe('receipt_unavailable');
    expect(await recordsOf('unsigned')).toBe(1);
    fails = false;
    expect(await saidOf(create(ledger, 'unsigned'))).toBe('replayed');
    expect(await saidOf(create(ledger, 'signed again'))).toBe('appended');
  });
});

describe('a signer that takes its time', () => {
  it('is not outrun: two batches are signed at once, the next ones gather, and a drain waits for all', async () => {
    const signing: { readonly done: () => void }[] = [];
    let isBegun = Promise.withResolvers<void>();
    const slow = ({ vault, ...workspace }: Workspace): Workspace => ({
      ...workspace,
      vault: {
        ...vault,
        firstLedgerKey: {
          ...vault.firstLedgerKey,
          sign(message) {
            const waiting = Promise.withResolvers<Uint8Array>();
            signing.push({ done: () => waiting.resolve(vault.firstLedgerKey.sign(message)) });
            isBegun.resolve();
            return waiting.promise;
          },
        },
      },
    });
    const directory = { ...log.directory, get: async (id: string) => slow(await log.directory.get(id)) };
    const ledger = log.openLedger({ directory });
    const begin = async (key: string) => {
      isBegun = Promise.withResolvers<void>();
      const request = create(ledger, key);
      await isBegun.promise;
      return { request };
    };
    const { request: first } = await begin('slow one');
    const { request: second } = await begin('slow two');
    const third = create(ledger, 'slow three');
    let isDrained = false;
    const drained = ledger.drain().then(() => (isDrained = true));
    expect(await recordsOf('slow two')).toBe(1);
    expect([await recordsOf('slow three'), signing.length]).toEqual([0, 2]);
    isBegun = Promise.withResolvers<void>();
    signing[1]?.done();
    expect((await second).kind).toBe('appended');
    await isBegun.promise;
    expect(await recordsOf('slow three')).toBe(1);
    signing[2]?.done();
    expect((await third).kind).toBe('appended');
    expect(isDrained).toBe(false);
    signing[0]?.done();
    expect((await first).kind).toBe('appended');
    await drained;
  });
});

/** Connections through the proxy that are given up after a second of silence. */
function openSilentPool({ url }: { readonly url: string }): pg.Pool {
  return openPool({ ...APP, url, answerMsMax: 1_000 });
}

describe('a connection that goes silent', () => {
  it.each([
    ['requests', true],
    ['requests', false],
    ['replies', true],
    ['replies', false],
  ] as const)('because %s are lost is given up, and the request kept once, with predict %s', async (what, predict) => {
    const proxy = await openCuttingProxy(log.logins.answer_evidence_app);
    const pool = openSilentPool(proxy);
    try {
      const ledger = log.openLedger({ pool, predict });
      await ledger.append(log.workspace.id, prepareNote(log));
      proxy.freeze(what);
      const questions = Array.from({ length: 3 }, (_, n) => `silent ${what} ${predict} ${n}`);
      const said = await Promise.all(questions.map((question) => saidOf(create(ledger, question))));
      expect(said).toEqual(questions.map(() => 'appended'));
      for (const question of questions) expect(await recordsOf(question)).toBe(1);
    } finally {
      await pool.end();
      await proxy.close();
    }
  });
});

describe('a read on a connection that goes silent', () => {
  it.each(['requests', 'replies'] as const)(
    'because %s are lost is refused, and the next one answered',
    async (what) => {
      const proxy = await openCuttingProxy(log.logins.answer_evidence_app);
      const pool = openSilentPool(proxy);
      try {
        const records = createRecordStore(pool);
        const find = () => records.find(log.workspace.id, log.newId());
        expect(await find()).toBeUndefined();
        proxy.freeze(what);
        await expect(find()).rejects.toMatchObject({ code: 'ledger_unavailable', remedy: 'retry' });
        expect(await find()).toBeUndefined();
      } finally {
        await pool.end();
        await proxy.close();
      }
    },
  );

  it('is not one that has answered: it is kept', async () => {
    const pool = openSilentPool({ url: log.logins.answer_evidence_app });
    let removed = 0;
    pool.on('remove', () => removed++);
    try {
      expect(await saidOf(create(log.openLedger({ pool }), 'answered in time'))).toBe('appended');
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect({ removed, kept: pool.totalCount > 0 }).toEqual({ removed: 0, kept: true });
    } finally {
      await pool.end();
    }
  });

  it('waits longer where it was told that statements may take longer', async () => {
    const pool = openSilentPool({ url: log.logins.answer_evidence_app });
    try {
      const sleep = (patience?: Patience) =>
        readWorkspace(pool, log.workspace.id, (query) => query('', 'select pg_sleep(2)', []), patience);
      await expect(sleep()).rejects.toMatchObject({ code: 'ledger_unavailable' });
      expect(await sleep({ answerMsMax: 30_000 })).toHaveLength(1);
    } finally {
      await pool.end();
    }
  });
});

describe('a database that is unavailable', () => {
  it('makes reads and writes say so, and both work again when it is back', async () => {
    const proxy = await openCuttingProxy(log.logins.answer_evidence_app);
    const pool = openPool({ ...APP, url: proxy.url });
    try {
      const ledger = log.openLedger({ pool });
      const records = createRecordStore(pool);
      const fresh = log.openLedger({ pool });
      await create(ledger, 'before it went');
      proxy.down();
      expect(await saidOf(create(ledger, 'while it is unavailable'))).toBe('ledger_unavailable');
      expect(await saidOf(create(fresh, 'while it is unavailable'))).toBe('ledger_unavailable');
      await expect(records.find(log.workspace.id, log.newId())).rejects.toMatchObject({
        code: 'ledger_unavailable',
        remedy: 'retry',
      });
      proxy.restore();
      expect(await saidOf(create(ledger, 'while it is unavailable'))).toBe('appended');
      expect(await saidOf(create(fresh, 'while it is unavailable'))).toBe('replayed');
      expect(await records.find(log.workspace.id, log.newId())).toBeUndefined();
    } finally {
      await pool.end();
      await proxy.close();
    }
  });
});
