import type { Command, Option } from 'commander';

/** A word that may follow, and what it means. */
export type Candidate = { readonly word: string; readonly description: string };

/**
 * What may stand in the place of the last of `words`, the arguments that were typed so far: commands, options, or the
 * choices of an option or argument. Undefined where a file or a free text is expected.
 */
export function listCandidates(program: Command, words: readonly string[]): readonly Candidate[] | undefined {
  const typed = words.at(-1) ?? '';
  const { command, pending, argumentCount } = follow(program, words.slice(0, -1));
  const candidates = pending === undefined ? listNext(command, typed, argumentCount) : choicesOf(pending.argChoices);
  return candidates?.filter(({ word }) => word.startsWith(typed));
}

type Place = {
  readonly command: Command;
  /** An option that still needs its value. */
  readonly pending: Option | undefined;
  /** How many arguments of the command are there already. */
  readonly argumentCount: number;
};

function follow(program: Command, words: readonly string[]): Place {
  let place: Place = { command: program, pending: undefined, argumentCount: 0 };
  for (const word of words) place = step(place, word);
  return place;
}

function step({ command, pending, argumentCount }: Place, word: string): Place {
  if (pending !== undefined) return { command, pending: undefined, argumentCount };
  if (word.startsWith('-')) {
    const option = optionsOf(command).find(({ long, short }) => word === long || word === short);
    return { command, pending: option?.required === true ? option : undefined, argumentCount };
  }
  const next = command.commands.find((one) => one.name() === word);
  if (next !== undefined) return { command: next, pending: undefined, argumentCount: 0 };
  return { command, pending: undefined, argumentCount: argumentCount + 1 };
}

function listNext(command: Command, typed: string, argumentCount: number): readonly Candidate[] | undefined {
  if (typed.startsWith('-')) {
    return optionsOf(command).flatMap(({ long, description }) => (long ? [{ word: long, description }] : []));
  }
  if (command.commands.length > 0) {
    return command
      .createHelp()
      .visibleCommands(command)
      .map((one) => ({ word: one.name(), description: one.description() }));
  }
  return choicesOf(command.registeredArguments[argumentCount]?.argChoices);
}

/** The options of a command and of those above it. */
function optionsOf(command: Command): readonly Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

function choicesOf(choices: readonly string[] | undefined): readonly Candidate[] | undefined {
  return choices?.map((word) => ({ word, description: '' }));
}
