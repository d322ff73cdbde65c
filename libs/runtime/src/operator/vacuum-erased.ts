import { parseArgs } from 'node:util';
import { keepSealedParts, vacuumErased } from '@answer-evidence/postgres';
import { WHATEVER_IT_TAKES } from '../open/parts-ticker.ts';
import { describeRemains } from '../open/vacuum-ticker.ts';
import type { Operation, OperatorCommand } from './command.ts';
import { withStores } from './with-stores.ts';

/** Takes erased data out of the database's files now, of any size. Requests wait while a table is rewritten. */
export const vacuumErasedCommand: OperatorCommand = {
  name: 'erasure-vacuum',
  usage: 'npm run operator -- erasure-vacuum',
  purpose: "Takes erased data out of the database's files now. Requests wait while a table is rewritten.",
  parse(args) {
    parseArgs({ args: [...args], options: {} });
    return (operation) => withStores(operation, (_core, databaseUrl) => run(databaseUrl, operation));
  },
};

const HELD_BACK = 'a transaction still reads the database as it was before; run the command again when it has ended';

async function run(databaseUrl: string, { print }: Operation): Promise<number> {
  await keepSealedParts(databaseUrl, WHATEVER_IT_TAKES);
  const whole = { tableBytesMax: Infinity, partBytesMax: Infinity, logBytesMax: Infinity, again: true };
  const outcome = await vacuumErased(databaseUrl, whole);
  switch (outcome.kind) {
    case 'nothing-to-do':
      throw new Error('a vacuum that is to be made again finds something to do');
    case 'busy':
      print(
        'a process of the service is vacuuming and may skip large tables; run the command again when it has finished',
      );
      return 1;
    case 'held-back':
      print(HELD_BACK);
      return 1;
    case 'done': {
      const remains = [...describeRemains(outcome), ...(outcome.isSomeHeldBack ? [HELD_BACK] : [])];
      for (const line of remains) print(line);
      if (remains.length === 0) print('erased data is no longer in the files of the database');
      return remains.length === 0 ? 0 : 1;
    }
  }
}
