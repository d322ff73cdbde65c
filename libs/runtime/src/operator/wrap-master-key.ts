import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createMasterKey } from '@answer-evidence/node-crypto';
import { StartError } from '../ground/start-error.ts';
import { wrapMasterKey, WRAPPER } from '../ground/wrapped-master-key.ts';
import { masterKeyFile } from '../open/master-key-files.ts';
import { readMasterKey } from '../open/open-master-vault.ts';
import { type OperatorCommand, UsageError } from './command.ts';

/** Prints the master key as a key management service has wrapped it, or a new one. Touches no database. */
export const wrapMasterKeyCommand: OperatorCommand = {
  name: 'master-key-wrap',
  usage: 'npm run operator -- master-key-wrap --by aws-kms:KEY|pkcs11:LABEL [--new|--next]',
  purpose:
    'Prints the master key as a key of AWS KMS wraps it (ARN, id or alias), or a key of the PKCS#11 token (its label; ' +
    'made there if there is none), for SERVICE_MASTER_KEY_WRAPPED. With --new, it makes the key of a new ' +
    'installation, which nobody sees; with --next, the key that keys-rewrap changes to.',
  parse(args) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        by: { type: 'string' },
        new: { type: 'boolean', default: false },
        next: { type: 'boolean', default: false },
      },
    });
    const { by } = values;
    if (by === undefined) throw new UsageError();
    if (!WRAPPER.test(by))
      throw new StartError('--by must be aws-kms: and the ARN, id or alias of a key, or pkcs11: and its label');
    return async ({ config, environment, print, report }) => {
      const isThere = config.SERVICE_MASTER_KEY !== undefined || existsSync(masterKeyFile(config));
      if (values.new && isThere)
        throw new StartError(
          'there is a master key; leave --new out to wrap it, or say --next for one that keys-rewrap changes to',
        );
      const isMade = values.new || values.next;
      if (!isMade && !isThere)
        throw new StartError('there is no master key to wrap; set SERVICE_MASTER_KEY, or make one with --new');
      print(await wrapMasterKey(by, isMade ? createMasterKey() : await readMasterKey(config, true), environment));
      report('keep it with your settings: it is of no use without the key that wraps it, so never delete that one');
      return 0;
    };
  },
};
