import { Command, CommanderError, Option } from 'commander';
import { PRODUCT_VERSION, SERVICE_VERSION } from '@answer-evidence/contracts';
import { type Context, createContext, type GlobalOptions } from './context.ts';
import { addExamples } from './examples.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import { COLOR_CHOICES } from './output/paint.ts';
import { OUTPUTS } from './output/show-view.ts';
import { reportError } from './report-error.ts';
import { UsageError } from './usage-error.ts';

/** A program: its name, what it is for, and its commands. */
export type Program = {
  readonly name: string;
  readonly description: string;
  /** What its help says after the commands. */
  readonly notes: readonly string[];
  readonly addCommands: (program: Command, context: Context) => void;
};

/** Runs one command line in the given world. Never throws; nothing outside `io` is touched. */
export async function runProgram(of: Program, argv: readonly string[], world: Io): Promise<ExitCode> {
  const io = { ...world, readStdin: readOnce(world) };
  const program = createCommand(of, io);
  const context = createContext(io, () => program.opts<GlobalOptions>());
  of.addCommands(program, context);
  addExamples(program);
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

/** The program without its commands. */
export function createCommand({ name, description, notes }: Program, io: Io): Command {
  return new Command(name)
    .description(description)
    .version(`${name} ${PRODUCT_VERSION} (interface ${SERVICE_VERSION})`)
    .addOption(new Option('-o, --output <format>', 'form of the result').choices(OUTPUTS).default('table'))
    .addOption(new Option('-q, --quiet', 'print ids only, a line each').conflicts('output'))
    .addOption(
      new Option('--color <when>', 'colours; NO_COLOR turns them off too').choices(COLOR_CHOICES).default('auto'),
    )
    .addHelpText('after', `\n${[...notes, EXIT_CODES].join('\n')}`)
    .showHelpAfterError('Run the same command with --help for what there is.')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // An unknown option is quoted with its value, and a value given to an option like --token is a secret.
      writeErr: (text) => io.stderr.write(text.replace(/(unknown option '--?[^'=\s]+)=.*'/s, "$1'")),
    });
}

const EXIT_CODES =
  'Exit codes: 0 every check PASS, NA or SKIP; 1 any FAIL, or an error answer; 2 usage; 3 host not reached.';
