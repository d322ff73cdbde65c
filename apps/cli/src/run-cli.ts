import { Command, CommanderError, Option } from 'commander';
import { SERVICE_VERSION } from '@answer-evidence/contracts';
import { addDeadLetterCommands } from './commands/dead-letters.ts';
import { addEvidenceCommands } from './commands/evidence.ts';
import { addHashKeyCommands } from './commands/hash-keys.ts';
import { addLedgerCommands } from './commands/ledger.ts';
import { addLoginCommands } from './commands/login.ts';
import { addMemberCommands } from './commands/members.ts';
import { addMonitorCommand } from './commands/monitor.ts';
import { addOtelCommands } from './commands/otel.ts';
import { addPasswordCommands } from './commands/password.ts';
import { addReceiptCommands } from './commands/receipt.ts';
import { addReconcileCommands } from './commands/reconcile.ts';
import { addRecordCommands } from './commands/records.ts';
import { addSettingsCommands } from './commands/settings.ts';
import { addTokenCommands } from './commands/tokens.ts';
import { addTrustCommands } from './commands/trust.ts';
import { addVerifyCommand } from './commands/verify.ts';
import { addWhoamiCommand } from './commands/whoami.ts';
import { type Context, createContext, type GlobalOptions } from './context.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import { reportError } from './report-error.ts';
import { UsageError } from './usage-error.ts';

/** Runs one command line in the given world. Never throws; nothing outside `io` is touched. */
export async function runCli(argv: readonly string[], world: Io): Promise<ExitCode> {
  const io = { ...world, readStdin: readOnce(world) };
  const program = createProgram(io);
  const context = createContext(io, () => program.opts<GlobalOptions>());
  addCommands(program, context);
  try {
    await program.parseAsync(withoutHelpForUnknown(program, argv), { from: 'user' });
    return context.exitCode();
  } catch (error) {
    // commander has already said what is wrong, and ends with 0 for help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return reportError(error, context);
  }
}

/**
 * The arguments without the wish for help where they name a command that does not exist: commander would show the help
 * of what stands above it and end with 0, as if the command existed.
 */
function withoutHelpForUnknown(program: Command, argv: readonly string[]): readonly string[] {
  let within = program;
  for (const [n, argument] of argv.entries()) {
    if (argument === '--') break;
    const takesValue = program.options.some(({ long }) => long === argv[n - 1] && n > 0);
    if (within.commands.length === 0 || argument === 'help' || argument.startsWith('-') || takesValue) continue;
    const next = within.commands.find((command) => command.name() === argument);
    if (next === undefined) return argv.filter((one) => !HELP.has(one));
    within = next;
  }
  return argv;
}

const HELP: ReadonlySet<string> = new Set(['--help', '-h', 'help']);

/** Standard input can be read once. A second reader would see an empty file, which looks like damaged evidence. */
function readOnce(io: Io): Io['readStdin'] {
  let isRead = false;
  return () => {
    if (isRead) throw new UsageError('standard input (-) can be used for one file only');
    isRead = true;
    return io.readStdin();
  };
}

function createProgram(io: Io): Command {
  return new Command('answer-evidence')
    .description('Records answers and checks the evidence for them.')
    .version(`interface ${SERVICE_VERSION}`)
    .addOption(new Option('--output <format>', 'output format').choices(['json', 'table']).default('table'))
    .option('--registry <url>', 'workspace API host; default: SERVICE_REGISTRY, then the configuration file')
    .addHelpText(
      'after',
      '\nThe token comes from SERVICE_TOKEN or else from the configuration file (SERVICE_CONFIG, or ~/.config/answer-evidence/config.yaml).' +
        '\nExit codes: 0 every check PASS, NA or SKIP; 1 any FAIL, or an error answer; 2 usage; 3 host not reached.',
    )
    .showHelpAfterError('Run the same command with --help for what there is.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // An unknown option is quoted with its value, and a value given to an option like --token is a secret.
      writeErr: (text) => io.stderr.write(text.replace(/(unknown option '--?[^'=\s]+)=.*'/s, "$1'")),
    });
}

function addCommands(program: Command, context: Context): void {
  addLoginCommands(program, context);
  addWhoamiCommand(program, context);
  addRecordCommands(program, context);
  addEvidenceCommands(program, context);
  addReconcileCommands(program, context);
  addSettingsCommands(program, context);
  addHashKeyCommands(program, context);
  addOtelCommands(program, context);
  addDeadLetterCommands(program, context);
  addTokenCommands(program, context);
  addMemberCommands(program, context);
  addPasswordCommands(program, context);
  addTrustCommands(program, context);
  addVerifyCommand(program, context);
  addReceiptCommands(program, context);
  addMonitorCommand(program, context);
  addLedgerCommands(program, context);
}
