import { parseArgs } from 'node:util';
import { formatTimestamp } from '@answer-evidence/encoding';
import { StartError } from '../ground/start-error.ts';
import type { TokenKeys } from '../token-keys/token-keys.ts';
import type { Operation, OperatorCommand } from './command.ts';
import { withStores } from './with-stores.ts';

/** Makes the next key that signs application tokens; running processes take it up by themselves. */
export const rotateTokenKeysCommand: OperatorCommand = {
  name: 'token-keys-rotate',
  usage: 'npm run operator -- token-keys-rotate [--now]',
  purpose: 'Makes the next key that signs application tokens.',
  parse(args) {
    const { values } = parseArgs({ args: [...args], options: { now: { type: 'boolean', default: false } } });
    return (operation) => withStores(operation, ({ tokenKeys }) => rotate(tokenKeys, values.now, operation));
  },
};

/** Lists the keys that sign application tokens, with their states. */
export const listTokenKeysCommand: OperatorCommand = {
  name: 'token-keys-list',
  usage: 'npm run operator -- token-keys-list',
  purpose: 'Lists the keys that sign application tokens, with their states.',
  parse(args) {
    parseArgs({ args: [...args], options: {} });
    return (operation) =>
      withStores(operation, async ({ tokenKeys }) => {
        await show(tokenKeys, operation);
        return 0;
      });
  },
};

async function rotate(keys: TokenKeys, now: boolean, operation: Operation): Promise<number> {
  const made = await keys.rotate(now ? 'at-once' : 'after-lead');
  await show(keys, operation);
  if (!made) throw new StartError('a new key is already published; rotate again once it signs');
  return 0;
}

async function show(keys: TokenKeys, { print }: Operation): Promise<void> {
  for (const { kid, generation, state, signsFrom, verifiesUntil } of await keys.list()) {
    const until = verifiesUntil === undefined ? '' : `, verifies until ${formatTimestamp(verifiesUntil)}`;
    print(`${generation} ${kid} ${state}: signs from ${formatTimestamp(signsFrom)}${until}`);
  }
}
