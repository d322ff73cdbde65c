import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keysSigning } from '@answer-evidence/ledger';
import { verifySignature } from '@answer-evidence/node-crypto';
import { parseCheckpoint, parseNote, parseVkey, verifyNote } from '@answer-evidence/note';
import { prepareAnswer } from '../fixtures/answers.ts';
import { prepareKey, prepareRetirement } from '../fixtures/log-keys.ts';
import { openTestLog, type TestLog } from '../fixtures/open-log.ts';

let log: TestLog;
beforeAll(async () => {
  log = await openTestLog();
});
afterAll(async () => {
  await log.close();
});

/** The vkeys whose signatures hold on a checkpoint, and those that its size asks for. */
async function signersOf(checkpoint: string): Promise<{ readonly signed: number; readonly wanted: readonly string[] }> {
  const note = parseNote(checkpoint);
  const { keys } = await log.logs.signer(log.workspace.id);
  const wanted = keysSigning(keys, parseCheckpoint(note.text).size).map(({ vkey }) => vkey);
  const signers = await verifyNote(note, wanted.map(parseVkey), verifySignature);
  expect(signers).toHaveLength(wanted.length);
  return { signed: note.signatures.length, wanted };
}

describe('a rotation of the key of a log', () => {
  it('leaves every receipt with exactly the signatures that its tree asks for, whichever process gave it', async () => {
    const { workspace } = log;
    const ledgers = [log.openLedger(), log.openLedger(), log.openLedger()];
    let isOver = false;
    const checkpoints = new Set<string>();
    const load = ledgers.flatMap((ledger, n) =>
      Array.from({ length: 4 }, async (_, lane) => {
        for (let number = 0; !isOver; number++) {
          const outcome = await ledger.append(workspace.id, prepareAnswer(log, { question: `${n} ${lane} ${number}` }));
          if (outcome.kind === 'appended') checkpoints.add(outcome.checkpoint);
        }
      }),
    );
    const [first, second] = ledgers;
    for (let round = 0; round < 3; round++) {
      const added = await first?.append(workspace.id, prepareKey(log));
      if (added?.kind === 'appended') checkpoints.add(added.checkpoint);
      const retired = await second?.append(workspace.id, prepareRetirement(log));
      if (retired?.kind === 'appended') checkpoints.add(retired.checkpoint);
    }
    isOver = true;
    await Promise.all(load);
    const counts = new Map<number, number>();
    for (const checkpoint of checkpoints) {
      const { signed, wanted } = await signersOf(checkpoint);
      expect(signed).toBe(wanted.length);
      counts.set(signed, (counts.get(signed) ?? 0) + 1);
    }
    expect(counts.get(1)).toBeGreaterThan(0);
    expect(counts.get(2)).toBeGreaterThan(0);
    expect((await log.logs.signer(workspace.id)).keys.map(({ lastTreeSize }) => lastTreeSize === null)).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(await log.check()).toMatchObject({ outcome: 'PASS', findings: [] });
  });

  it('lets one of two changes at once come first, and the other be judged by what it left', async () => {
    const ledgers = [log.openLedger(), log.openLedger()];
    await Promise.all(ledgers.map((ledger) => ledger.append(log.workspace.id, prepareKey(log))));
    const { keys } = await log.logs.signer(log.workspace.id);
    expect(new Set(keys.map(({ vkey }) => vkey)).size).toBe(keys.length);
  });

  it('is named by the ledger check when the key is gone, another one, or one too many', async () => {
    const { keys } = await log.logs.signer(log.workspace.id);
    const vkey = keys.at(-1)?.vkey ?? '';
    const alter = (sql: string, values: readonly string[]) =>
      log.owner.query(
        `set session_replication_role = replica; ${sql.replace('$1', `'${values[0] ?? ''}'`)}; set session_replication_role = origin`,
      );
    await alter(`update answer_evidence.ledger_keys set wrapped_seed = '\\x00' where vkey = $1`, [vkey]);
    expect((await log.check()).findings.map(({ check }) => check)).toEqual(['ledger_key']);
    await alter('delete from answer_evidence.ledger_keys where vkey = $1', [vkey]);
    expect((await log.check()).findings.map(({ check }) => check)).toEqual(['ledger_key']);
  });
});
