import { ServiceError } from '@answer-evidence/contracts';
import { parseConfig } from '../ground/config.ts';
import { fileStartError } from '../ground/file-start-error.ts';
import { headStartError } from '../ground/head-start-error.ts';
import { readSecretFiles } from '../ground/secret-files.ts';
import { StartError } from '../ground/start-error.ts';
import { unwrapMasterKeys } from '../ground/wrapped-master-key.ts';
import { followDatabaseToken } from '../open/platform-grants.ts';
import { asksForHelp } from '../start/command-line.ts';
import { adoptHeadsCommand } from './adopt-heads.ts';
import { checkLedgersCommand } from './check-ledgers.ts';
import { type Operation, type OperatorCommand, UsageError } from './command.ts';
import { confirmSweepCommand } from './confirm-sweep.ts';
import { createWorkspaceCommand } from './create-workspace.ts';
import { distributeCommand } from './distribute.ts';
import { doctorCommand } from './doctor.ts';
import { forgetHeadsCommand } from './forget-heads.ts';
import { makePasswordLinkCommand } from './make-password-link.ts';
import { migrateDatabaseCommand } from './migrate-database.ts';
import { recoverLedgersCommand } from './recover-ledgers.ts';
import { rewrapKeysCommand } from './rewrap-keys.ts';
import { listTokenKeysCommand, rotateTokenKeysCommand } from './token-keys.ts';
import { vacuumErasedCommand } from './vacuum-erased.ts';
import { wrapMasterKeyCommand } from './wrap-master-key.ts';

const PROGRAM = 'answer-evidence';

/** Every command, in the order in which the usage names them. */
const COMMANDS: readonly OperatorCommand[] = [
  checkLedgersCommand,
  createWorkspaceCommand,
  makePasswordLinkCommand,
  recoverLedgersCommand,
  adoptHeadsCommand,
  forgetHeadsCommand,
  rewrapKeysCommand,
  wrapMasterKeyCommand,
  vacuumErasedCommand,
  confirmSweepCommand,
  rotateTokenKeysCommand,
  listTokenKeysCommand,
  migrateDatabaseCommand,
  distributeCommand,
  doctorCommand,
];

const HELP = `${COMMANDS.map(({ usage, purpose }) => `${usage}\n    ${purpose}`).join('\n')}

The commands read the environment variables of the service, which docs/configuration.md lists.
Exit codes: 0 done and sound, 1 a fault was found, 2 could not run.`;
const USAGE = ['usage:', ...COMMANDS.map(({ usage }) => `  ${usage}`)].join('\n');

/** What a command is given beside its arguments, and where its lines go. */
type Surroundings = Pick<Operation, 'environment'> & {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
};

const THIS_PROCESS: Surroundings = {
  environment: process.env,
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
};

/**
 * Runs an operator's command directly on the database. It connects to the embedded PostgreSQL of a running service, or
 * starts it. Returns the exit code: 0 no fault, 1 a fault was found, 2 the command could not run.
 */
export async function runOperator(
  args: readonly string[],
  { environment: variables, out, err }: Surroundings = THIS_PROCESS,
): Promise<number> {
  const report = (line: string) => err(`${PROGRAM}: ${line}`);
  try {
    const [name, ...rest] = args;
    const command = COMMANDS.find((candidate) => candidate.name === name);
    if (asksForHelp(args)) {
      out(command === undefined ? HELP : `${command.usage}\n    ${command.purpose}`);
      return 0;
    }
    if (command === undefined) throw new UsageError();
    // Read whole before anything is opened: a slip of the pen makes no database.
    const run = command.parse(rest);
    const environment = readSecretFiles(await unwrapMasterKeys(variables));
    const { config, stop } = await followDatabaseToken(parseConfig(environment), report);
    try {
      return await run({ config, environment, print: out, report });
    } finally {
      stop();
    }
  } catch (thrown) {
    const error = headStartError(fileStartError(thrown));
    if (error instanceof UsageError) report(USAGE);
    else if (error instanceof StartError) report(error.message);
    else if (error instanceof TypeError && 'code' in error) report(`${error.message}\n${USAGE}`);
    else if (error instanceof ServiceError && error.remedy === 'retry')
      report(`${error.message}; run the command again`);
    else throw error;
    return 2;
  }
}
