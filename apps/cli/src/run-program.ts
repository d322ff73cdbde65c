import { Command, CommanderError, Help, Option } from 'commander';
import { PRODUCT_VERSION, SERVICE_VERSION } from '@answer-evidence/contracts/version';
import { type Context, createContext, type GlobalOptions } from './context.ts';
import { addExamples } from './examples.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import { COLOR_CHOICES } from './output/paint.ts';
import { OUTPUTS } from './output/show-view.ts';
import { UsageError } from './usage-error.ts';

/** A program: its name, what it is for, and its commands. */
export type Program = {
  readonly name: string;
  readonly description: string;
  /** What its help says after the commands. */
  readonly notes: readonly string[];
  /** What it takes beside the options that every program has. */
  readonly options?: readonly Option[];
  readonly commands: readonly CommandModule[];
};

/** Commands with the module that has them, which is loaded where one of them is meant. */
export type CommandModule = {
  /** How the program's help shows each: its name with its arguments, and what it does. */
  readonly commands: Readonly<Record<string, string>>;
  readonly load: () => Promise<AddCommands>;
};

/** Adds commands to a program. */
type AddCommands = (program: Command, context: Context) => void;

/** Runs one command line in the given world. Never throws; nothing outside `io` is touched. */
export async function runProgram(of: Program, argv: readonly string[], world: Io): Promise<ExitCode> {
  const io = { ...world, readStdin: readOnce(world) };
  const program = createCommand(of, io);
  const context = createContext(io, () => program.opts<GlobalOptions>());
  await addCommands(of, program, context, argv);
  try {
    await program.parseAsync(withoutHelpForUnknown(program, argv), { from: 'user' });
    return context.exitCode();
  } catch (error) {
    // commander has already said what is wrong, and ends with 0 for help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return (await import('./report-error.ts')).reportError(error, context);
  }
}

/**
 * Adds the commands that the arguments can mean: the one that they name, or all, for what does not exist and without
 * arguments. Most of a start would otherwise be the loading of others; the program's own help loads none.
 */
export async function addCommands(
  of: Program,
  program: Command,
  context: Context,
  argv?: readonly string[],
): Promise<void> {
  const [named, ...more] = operandsOf(program, argv ?? []);
  if (named === undefined && argv?.some((word) => word === '--version' || word === '-V') === true) return;
  const isWhole = named === undefined || (named === 'help' && more.length === 0);
  if (isWhole && argv?.some((word) => HELP.has(word)) === true) return showCommands(of, program);
  const meant = of.commands.filter(({ commands }) => named !== undefined && namesOf(commands).includes(named));
  for (const { load } of meant.length > 0 ? meant : of.commands) (await load())(program, context);
  addExamples(program);
}

/** The names of commands as help shows them. */
export function namesOf(commands: CommandModule['commands']): readonly string[] {
  return Object.keys(commands).map((term) => term.split(' ', 1)[0] ?? '');
}

/** Adds what the program's help says of its commands, and nothing that they do. */
function showCommands({ commands: modules }: Program, program: Command): void {
  const terms = new Map<string, string>();
  for (const [term, description] of modules.flatMap(({ commands }) => Object.entries(commands))) {
    const [name = ''] = term.split(' ', 1);
    terms.set(name, term);
    program.command(name).description(description);
  }
  program.configureHelp({
    ...program.configureHelp(),
    subcommandTerm: (command) => terms.get(command.name()) ?? new Help().subcommandTerm(command),
  });
  addExamples(program);
}

/** The arguments that are no options of the program and no values of these. */
function operandsOf(program: Command, argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  const before = end < 0 ? argv : argv.slice(0, end);
  const isValue = (n: number) =>
    n > 0 && program.options.some(({ long, short, required }) => required && [long, short].includes(before[n - 1]));
  return before.filter((word, n) => !word.startsWith('-') && !isValue(n));
}

/**
 * The arguments without the wish for help where they name a command that does not exist: commander would show the help
 * of what stands above it and end with 0, as if the command existed.
 */
function withoutHelpForUnknown(program: Command, argv: readonly string[]): readonly string[] {
  let within = program;
  for (const operand of operandsOf(program, argv)) {
    if (within.commands.length === 0 || operand === 'help') continue;
    const next = within.commands.find((command) => command.name() === operand);
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
export function createCommand({ name, description, notes, options = [] }: Program, io: Io): Command {
  const program = new Command(name)
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
  for (const option of options) program.addOption(option);
  return program;
}

const EXIT_CODES =
  'Exit codes: 0 every check PASS, NA or SKIP; 1 any FAIL, or an error answer; 2 usage; 3 host not reached.';
