import { expect, it } from '@jest/globals';
import { runVerifier } from '../../apps/cli/src/run-verifier.ts';
import { createMemoryIo } from '../../apps/cli/src/testing/memory-io.ts';
import { describeWithTools, runPythonVerifier } from './python-verifier.ts';

/** Options of the program for Node that the one in Python does not have, and why. */
const ONLY_NODE: Readonly<Record<string, string>> = {
  '--color': 'the program in Python writes no colours',
  '--format': 'the program in Python reads references as JSON Lines alone',
  '--columns': 'the same',
  '--time-format': 'the same',
};
/** What the one in Python has beside these: its commands share the demands of all checks. */
const ONLY_PYTHON: Readonly<Record<string, readonly string[]>> = {
  'receipt verify': ['--require', '--strict', '--summary'],
};
const COMMANDS = [['verify'], ['receipt', 'verify'], ['reconcile', 'verify'], ['monitor']];

/** The options that a help names, each in its long form. */
function optionsOf(help: string): readonly string[] {
  const named = [...help.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([name]) => name);
  return [...new Set(named)].toSorted();
}

async function helpOfNode(args: readonly string[]): Promise<string> {
  const { io, stdout } = createMemoryIo();
  expect(await runVerifier([...args, '--help'], io)).toBe(0);
  const help = stdout();
  // The examples name options of other programs, such as those of the shell.
  return help.slice(0, help.indexOf('Examples:') < 0 ? undefined : help.indexOf('Examples:'));
}

function helpOfPython(args: readonly string[]): string {
  const { status, stdout } = runPythonVerifier([...args, '--help']);
  expect(status).toBe(0);
  return stdout;
}

describeWithTools('the arguments of both programs', () => {
  it.each(COMMANDS.map((words) => [words.join(' '), words] as const))('are the same for %s', async (_, words) => {
    const [node, python] = [optionsOf(await helpOfNode(words)), optionsOf(helpOfPython(words))];
    expect(node.length).toBeGreaterThan(4);
    const more = ONLY_PYTHON[words.join(' ')] ?? [];
    expect(python).toEqual(expect.arrayContaining([...more]));
    expect(python.filter((name) => !more.includes(name))).toEqual(
      node.filter((name) => !(name in ONLY_NODE) && name !== '--version'),
    );
  });

  it('are the same without a command', async () => {
    const node = optionsOf(await helpOfNode([]));
    expect(optionsOf(helpOfPython([]))).toEqual(expect.arrayContaining(['--help', '--version']));
    expect(node).toEqual(expect.arrayContaining(['--help', '--version']));
    expect(runPythonVerifier(['--version']).status).toBe(0);
  });

  it('lists no exception that is none', async () => {
    const node = new Set((await Promise.all(COMMANDS.map(helpOfNode))).flatMap(optionsOf));
    const python = new Set(COMMANDS.map(helpOfPython).flatMap(optionsOf));
    for (const name of Object.keys(ONLY_NODE))
      expect([name, node.has(name), python.has(name)]).toEqual([name, true, false]);
  });
});
