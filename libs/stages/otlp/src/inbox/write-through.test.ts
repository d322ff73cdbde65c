import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import type { Ledger } from '@answer-evidence/ports';
import { changeSettings } from '@answer-evidence/testing';
import { answerSpan, openOtlpTest, type OtlpTest, span, traces } from '../fixtures/otlp.ts';

let test: OtlpTest;
afterEach(async () => {
  expect((await test.checkLedger()).findings).toEqual([]);
  await test.close();
});

const keysOf = async () => (await test.listed()).map(({ idempotency_key: key }) => key).toSorted();
const inbox = async () => (await test.otlp.backlog(test.workspace.id)).items;

/** Opens one whose requests wait for this ledger. */
async function open(waitMs = 60_000, ledgerOf: (ledger: Ledger) => Ledger = (ledger) => ledger): Promise<void> {
  test = await openOtlpTest({}, ({ ledger }) => ({ otlpLedgerWaitMs: waitMs, ledger: ledgerOf(ledger) }));
}

/** The appends of a ledger that come one by one. */
function otherAppends(ledger: Ledger): Pick<Ledger, 'append'> {
  return { append: (...command) => ledger.append(...command) };
}

describe('what can be recorded as it arrives', () => {
  it('is in the ledger with the response, once, and what cannot waits in the inbox', async () => {
    await open();
    const body = traces([
      answerSpan(1, 'a'),
      answerSpan(2, 'b'),
      span(3, { 'service.audit.idempotency_key': 'later' }),
    ]);
    for (let n = 0; n < 2; n++) {
      expect(await test.send(body)).toEqual({ rejected: 0, message: '' });
      expect(await keysOf()).toEqual(['a', 'b']);
    }
    await test.workOff();
    expect((await test.listed()).map(({ trace_refs: refs }) => refs)).toEqual([[], []]);
    expect(await test.otlp.backlog(test.workspace.id)).toMatchObject({ items: 0, waiting: 1 });
  });

  it('is compared with the record of its key afterwards, where there is one', async () => {
    await open();
    await test.send(traces([answerSpan(1, 'a')]));
    await test.send(traces([answerSpan(2, 'a')]));
    expect(await inbox()).toBe(1);
    await test.workOff();
    expect(await keysOf()).toEqual(['a']);
    expect(await test.unattached()).toMatchObject([{ reason: 'commitment_mismatch', idempotency_key: 'a' }]);
  });

  it('is judged by the settings in force as it is recorded', async () => {
    await open();
    await test.send(traces([answerSpan(1, 'a')]));
    await changeSettings(test, { answer_audit_store_answer_text: false });
    await test.send(traces([answerSpan(2, 'b')]));
    await changeSettings(test, { answer_audit_accept_text: false, answer_audit_accept_caller_hash: true });
    expect(await test.send(traces([answerSpan(3, 'c')]))).toMatchObject({ rejected: 1 });
    await test.workOff();
    expect((await test.listed()).map(({ answer }) => answer.text_state)).toEqual(['stored', 'discarded']);
  });
});

describe('what has been prepared', () => {
  it('is on its way into the ledger while the rest of the request is prepared', async () => {
    const items = 200;
    const firstAppended = Promise.withResolvers<undefined>();
    let appended = 0;
    let turns = 0;
    test = await openOtlpTest({}, ({ ledger }) => ({
      otlpLedgerWaitMs: 60_000,
      ledger: {
        ...otherAppends(ledger),
        appendAll(workspaceId, commands) {
          appended += commands.length;
          const appending = ledger.appendAll(workspaceId, commands);
          appending.then(
            () => firstAppended.resolve(undefined),
            (error: unknown) => firstAppended.reject(error),
          );
          return appending;
        },
      },
      // The last item is not prepared before one of the first is in the ledger.
      turn: async () => {
        turns += 1;
        if (turns < items - 1) return;
        expect(appended).toBeGreaterThan(0);
        expect(appended).toBeLessThan(items);
        await firstAppended.promise;
      },
    }));
    await test.send(traces(Array.from({ length: items }, (_, n) => answerSpan(n + 1, `key ${n}`))));
    expect(await inbox()).toBe(0);
    expect((await test.records.list(test.workspace.id, {}, { offset: 0, limit: 1 })).total).toBe(items);
  });

  it('is no more than two transactions of the log take, while these are under way', async () => {
    const items = 700;
    const going = Promise.withResolvers<undefined>();
    const started = Promise.withResolvers<undefined>();
    let [appended, turns] = [0, 0];
    test = await openOtlpTest({}, ({ ledger }) => ({
      otlpLedgerWaitMs: 60_000,
      ledger: {
        ...otherAppends(ledger),
        appendAll(workspaceId, commands) {
          appended += commands.length;
          if (appended === 256) started.resolve(undefined);
          return going.promise.then(() => ledger.appendAll(workspaceId, commands));
        },
      },
      turn: () => Promise.resolve(void (turns += 1)),
    }));
    const sent = Promise.all(
      [0, items].map((from) =>
        test.send(traces(Array.from({ length: items }, (_, n) => answerSpan(from + n + 1, `key ${from + n}`)))),
      ),
    );
    await started.promise;
    const prepared = turns;
    await setImmediate();
    expect([appended, turns]).toEqual([256, prepared]);
    expect(prepared).toBeLessThan(300);
    going.resolve(undefined);
    await sent;
    expect(await inbox()).toBe(0);
    expect((await test.records.list(test.workspace.id, {}, { offset: 0, limit: 1 })).total).toBe(2 * items);
  });

  it('is recorded once, where the service fails later in the same request and it is sent again', async () => {
    const items = 130;
    let turns = 0;
    test = await openOtlpTest({}, () => ({
      otlpLedgerWaitMs: 60_000,
      turn: () => (++turns === 100 ? Promise.reject(new Error('a fault of the service')) : Promise.resolve()),
    }));
    const body = traces(Array.from({ length: items }, (_, n) => answerSpan(n + 1, `key ${n}`)));
    await expect(test.send(body)).rejects.toThrow();
    await test.send(body);
    await test.workOff();
    expect((await test.records.list(test.workspace.id, {}, { offset: 0, limit: 1 })).total).toBe(items);
  });
});

describe('what goes into the inbox', () => {
  it('is packed and sealed in turns, however much one request brings', async () => {
    const items = 1_000;
    let turns = 0;
    const turn = () => Promise.resolve(void (turns += 1));
    test = await openOtlpTest({}, () => ({ otlpLedgerWaitMs: 0, turn }));
    const spans = Array.from({ length: items }, (_, n) => answerSpan(n + 1, `key ${n}`));
    expect(await test.send(traces(spans))).toEqual({ rejected: 0, message: '' });
    expect(await inbox()).toBe(items);
    // One to prepare each item, one to pack it, and one to seal each 128.
    expect(turns).toBeGreaterThanOrEqual(2 * (items - 1) + Math.ceil(items / 128));
    await test.workOff();
  });
});

describe('text that JSON can hold and a reader cannot take', () => {
  it.each([
    ['an answer', { 'service.audit.answer_text': 'b\ud800' }],
    ['a ref', { 'service.audit.semantic_refs': JSON.stringify([{ topic: 'd\ud800' }]) }],
    ['NUL in a ref', { 'service.audit.semantic_refs': JSON.stringify([{ topic: 'g\0' }]) }],
    ['NUL in a question', { 'service.audit.question_text': 'h\0' }],
  ])('is refused or recorded whole, as from the inbox: %s', async (_, attributes) => {
    const outcomes: unknown[] = [];
    for (const waitMs of [0, 60_000]) {
      await open(waitMs);
      const { rejected, message } = await test.send(traces([answerSpan(1, 'a', attributes)]));
      await test.workOff();
      const [record] = await test.listed();
      outcomes.push([rejected, message, record?.question, record?.answer, record?.semantic_refs, record?.source_refs]);
      if (waitMs === 0) {
        expect((await test.checkLedger()).findings).toEqual([]);
        await test.close();
      }
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
  });
});

describe('while the ledger', () => {
  it('is unavailable, everything goes into the inbox', async () => {
    let isUnavailable = true;
    await open(60_000, (ledger) => ({
      ...otherAppends(ledger),
      appendAll: (...commands) =>
        isUnavailable
          ? Promise.reject(new ServiceError('ledger_unavailable', 'away', { remedy: 'retry' }))
          : ledger.appendAll(...commands),
    }));
    await test.send(traces([answerSpan(1, 'a')]));
    expect([await keysOf(), await inbox()]).toEqual([[], 1]);
    isUnavailable = false;
    await test.workOff();
    expect(await keysOf()).toEqual(['a']);
  });

  it('takes too long, everything goes into the inbox, and is recorded once, whichever is first', async () => {
    const going = Promise.withResolvers<undefined>();
    const appends: Promise<unknown>[] = [];
    let isSlow = true;
    await open(1, (ledger) => ({
      ...otherAppends(ledger),
      appendAll(...commands) {
        if (!isSlow) return ledger.appendAll(...commands);
        const appending = going.promise.then(() => ledger.appendAll(...commands));
        appends.push(appending);
        return appending;
      },
    }));
    await test.send(traces([answerSpan(1, 'a')]));
    await test.send(traces([answerSpan(2, 'b')]));
    expect([await keysOf(), await inbox()]).toEqual([[], 2]);
    isSlow = false;
    going.resolve(undefined);
    await Promise.all([test.workOff(), ...appends]);
    expect([await keysOf(), await inbox()]).toEqual([['a', 'b'], 0]);
    expect((await test.listed()).map(({ trace_refs: refs }) => refs)).toEqual([[], []]);
  });

  it('has much before it, everything goes into the inbox', async () => {
    const going = Promise.withResolvers<undefined>();
    await open(1, (ledger) => ({
      ...otherAppends(ledger),
      appendAll: (...commands) => going.promise.then(() => ledger.appendAll(...commands)),
    }));
    const many = (from: number) => traces(Array.from({ length: 1_500 }, (_, n) => answerSpan(from + n, null)));
    await test.send(many(1));
    await test.send(many(2_001));
    expect(await inbox()).toBe(3_000);
    going.resolve(undefined);
    await test.workOff();
    expect((await test.records.list(test.workspace.id, {}, { offset: 0, limit: 1 })).total).toBe(3_000);
  });
});
