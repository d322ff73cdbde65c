import { describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { createContext } from './context.ts';
import { EXAMPLES, listLeaves } from './examples.ts';
import { CLI } from './run-cli.ts';
import { createCommand } from './run-program.ts';
import { createMemoryIo } from './testing/memory-io.ts';

/** The program whose commands do nothing, so that a command line is parsed only. */
function createIdle(): Command {
  const { io } = createMemoryIo();
  const program = createCommand(CLI, io);
  CLI.addCommands(
    program,
    createContext(io, () => program.opts()),
  );
  for (const [, leaf] of listLeaves(program)) leaf.action(() => undefined);
  return program;
}

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
  const leaves = listLeaves(createIdle()).map(([path]) => path);

  it('are there for every command, and for no other', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual([...leaves].sort());
  });

  const own = Object.entries(EXAMPLES).flatMap(([path, lines]) =>
    lines.filter((line) => !line.startsWith('curl ')).map((line) => [path, line] as const),
  );

  it.each(own)('%s: %s', async (path, line) => {
    const words = splitLine(line);
    expect(`${words.join(' ')} `).toContain(`${path === 'trust keys list' ? 'trust keys' : path} `);
    await expect(createIdle().parseAsync(words, { from: 'user' })).resolves.toBeInstanceOf(Command);
  });
});
