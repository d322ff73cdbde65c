import { parseArgs } from 'node:util';
import type { SweepConfirmedCore } from '@answer-evidence/contracts';
import { formatHex, formatTimestamp } from '@answer-evidence/encoding';
import { createNoteCommand } from '@answer-evidence/ledger';
import { type DueCounter, newId, newNonce } from '@answer-evidence/ports';
import { StartError } from '../ground/start-error.ts';
import type { Stores } from '../open/open-stores.ts';
import { describeClock } from '../open/watch-clock.ts';
import type { Operation, OperatorCommand } from './command.ts';
import { withStores } from './with-stores.ts';

/**
 * States that the clock of this machine is right and that what is due by now may be erased, however much it is. It is
 * an entry of every log that it is about.
 */
export const confirmSweepCommand: OperatorCommand = {
  name: 'sweep-confirm',
  usage: 'npm run operator -- sweep-confirm [--workspace SLUG]',
  purpose: 'Confirms that the clock of this machine is right, so that everything due by now may be erased.',
  parse(args) {
    const { values } = parseArgs({ args: [...args], options: { workspace: { type: 'string' } } });
    return (operation) => withStores(operation, (stores) => confirmSweep(stores, values.workspace, operation));
  },
};

async function confirmSweep(
  stores: Stores,
  slug: string | undefined,
  { print, report }: Pick<Operation, 'print' | 'report'>,
): Promise<number> {
  const { clock, clockGuard, clockMarks, directory } = stores;
  const workspaces = (await directory.list()).filter((workspace) => slug === undefined || workspace.slug === slug);
  if (slug !== undefined && workspaces.length === 0) throw new StartError(`there is no workspace "${slug}"`);
  const judgement = clockGuard.judge();
  if (judgement.state !== 'plausible') report(`until now: ${describeClock(judgement)}`);
  const now = clock.nowMicros();
  for (const { id, slug: name } of workspaces) {
    const records = await countOf(stores.retention, id, now);
    const comments = await countOf(stores.triage, id, now);
    const texts = { due: records.due + comments.due, kept: records.kept + comments.kept };
    const evidence = await countOf(stores.evidenceErasures, id, now);
    // Nothing can be erased by this word, so the log needs not say who gave it.
    if (judgement.state === 'plausible' && texts.due + evidence.due === 0) {
      print(`${name}: nothing is due, so there is nothing to confirm`);
      continue;
    }
    const core: SweepConfirmedCore = {
      id: newId(stores),
      nonce: formatHex(newNonce(stores)),
      due_before: formatTimestamp(now),
      texts,
      evidence,
      clock: judgement.state,
      actor: { kind: 'service', id: 'operator', token_id: null },
    };
    await stores.ledger.append(id, () => createNoteCommand(id, { type: 'sweep_confirmed', seq: 0, core }));
    print(`${name}: ${texts.due} of ${texts.kept} texts and ${evidence.due} of ${evidence.kept} assets may be erased`);
  }
  // Last, so that no process erases by this time before the log says who stated it.
  await clockMarks.confirm(now);
  print(`the time is ${formatTimestamp(now)}; running services go by it within ten seconds`);
  return 0;
}

async function countOf(counter: DueCounter, workspaceId: string, nowMicros: number) {
  return {
    due: await counter.countDue(workspaceId, 0, nowMicros, Number.MAX_SAFE_INTEGER),
    kept: await counter.countKept(workspaceId),
  };
}
