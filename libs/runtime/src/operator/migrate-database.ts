import { parseArgs } from 'node:util';
import type { OperatorCommand } from './command.ts';
import { withBareStores } from './with-stores.ts';

/** Brings the database to the schema of this release, as every start does, and starts nothing. */
export const migrateDatabaseCommand: OperatorCommand = {
  name: 'database-migrate',
  usage: 'npm run operator -- database-migrate',
  purpose: 'Brings the database to the schema of this release, and makes the logins of the service.',
  parse(args) {
    parseArgs({ args: [...args], options: {} });
    return (operation) =>
      withBareStores(operation, () => {
        operation.print('the database has the schema of this release');
        return Promise.resolve(0);
      });
  },
};
