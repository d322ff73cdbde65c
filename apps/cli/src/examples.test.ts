import { describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { createContext } from './context.ts';
import { EXAMPLES, examplesOf, listLeaves } from './examples.ts';
import { CLI } from './run-cli.ts';
import { addCommands, createCommand, namesOf as namesIn, type Program } from './run-program.ts';
import { VERIFIER } from './run-verifier.ts';
import { createMemoryIo } from './testing/memory-io.ts';

/** The program with all of its commands, or with those that the arguments can mean. */
async function createWhole(of: Program, argv: readonly string[] = []): Promise<Command> {
  const { io } = createMemoryIo();
  const program = createCommand(of, io);
  const context = createContext(io, () => program.opts());
  await addCommands(of, program, context, argv);
  return program;
}

/** The program whose commands do nothing, so that a command line is parsed only. */
async function createIdle(): Promise<Command> {
  const program = await createWhole(CLI);
  for (const [, leaf] of listLeaves(program)) leaf.action(() => undefined);
  return program;
}

const namesOf = ({ commands }: Command) => commands.map((command) => command.name());

/** The words of a line as a shell reads them: quotes, a line break after a backslash, and what follows `>` or `<`. */
function splitLine(line: string): readonly string[] {
  const words =
    line
      .replace(/\\\n/g, ' ')
      .replace(/ [<>] \S+$/, '')
      .match(/"[^"]*"|\S+/g) ?? [];
  return words.map((word) => word.replaceAll('"', ''));
}

describe('the examples of help', () => {
  it('are there for every command, and for no other', async () => {
    const leaves = listLeaves(await createIdle());
    expect(leaves.filter(([path, leaf]) => examplesOf(path, leaf) === undefined).map(([path]) => path)).toEqual([]);
    const paths = leaves.map(([path]) => path);
    expect(Object.keys(EXAMPLES).filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('are lines that their commands take', async () => {
    const lines = listLeaves(await createIdle()).flatMap(([path, leaf]) =>
      (examplesOf(path, leaf) ?? []).filter((line) => !line.startsWith('curl ')).map((line) => [path, line] as const),
    );
    expect(lines.length).toBeGreaterThan(50);
    for (const [path, line] of lines) await expectTaken(path, line);
  });

  async function expectTaken(path: string, line: string): Promise<void> {
    const words = splitLine(line);
    expect(`${words.join(' ')} `).toContain(`${path === 'trust keys list' ? 'trust keys' : path} `);
    const program = await createIdle();
    await expect(program.parseAsync(words, { from: 'user' })).resolves.toBeInstanceOf(Command);
  }
});

describe.each([CLI, VERIFIER])('$name', (of) => {
  it.each(of.commands.flatMap(({ commands }) => namesIn(commands)))(
    'is loaded with no other module for %s',
    async (name) => {
      const [module] = of.commands.filter(({ commands }) => namesIn(commands).includes(name));
      const loaded = namesOf(await createWhole(of, ['--output', 'json', '-q', name, '--help']));
      // What completes is no part of help.
      expect(loaded.filter((one) => !one.startsWith('__'))).toEqual(namesIn(module?.commands ?? {}));
    },
  );

  it('is loaded as a whole for anything else', async () => {
    const all = namesOf(await createWhole(of));
    for (const argv of [[], ['help', 'verify'], ['no-command'], ['-o', 'verify'], ['--', 'verify']])
      expect(namesOf(await createWhole(of, argv))).toEqual(all);
  });

  it.each([[['--help']], [['-h', '--output', 'json']], [['help']]])(
    'has its own help without loading anything: %j',
    async (argv) => {
      const unloaded: Program = {
        ...of,
        commands: of.commands.map((one) => ({ ...one, load: () => Promise.reject(new Error('a command was loaded')) })),
      };
      expect((await createWhole(unloaded, argv)).helpInformation()).toBe((await createWhole(of)).helpInformation());
    },
  );
});
