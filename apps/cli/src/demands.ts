import { type Command, Option } from 'commander';
import type { Outcome } from '@answer-evidence/contracts';
import { WORD_LANGUAGES, type WordLanguage } from '@answer-evidence/verify';
import { UsageError } from './usage-error.ts';

/** The options of a command that verifies: what must be PASS for exit code 0, and how much is shown. */
export type DemandOptions = {
  readonly require: readonly string[];
  readonly strict?: true;
  readonly summary?: true;
};

/** In which language a command says what checks come to. */
export type LanguageOption = { readonly language: WordLanguage };

type ShownOutcome = { readonly check: string; readonly outcome: Outcome };

/** Gives a command `--require`, `--strict` and `--summary`. */
export function addDemandOptions(command: Command): Command {
  return command
    .option('--require <checks>', 'checks that must be PASS, separated by commas; may be repeated', collectNames, [])
    .option('--strict', 'require PASS for every check that applies')
    .option('--summary', 'show only the checks that are FAIL or SKIP, and how many came to which outcome');
}

/** Gives a command `--language`. */
export function addLanguageOption(command: Command): Command {
  const option = new Option('--language <language>', 'language of the words for people');
  return command.addOption(option.choices(WORD_LANGUAGES).default('en'));
}

/** Refuses a demand for a check that the command does not make, such as a misspelt one. Throws `UsageError`. */
export function assertKnownDemands({ require }: DemandOptions, known: readonly string[]): void {
  const unknown = require.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--require names no check of this command: ${unknown}. The checks are: ${known.join(', ')}`);
}

/**
 * The checks that a demand is not met by, each in a line. A FAIL is not among them: it ends with exit code 1 without
 * being demanded. `--require` turns SKIP and NA of the checks it names into an unmet demand, `--strict` every SKIP.
 */
export function listUnmet(checks: readonly ShownOutcome[], demands: DemandOptions): readonly string[] {
  return checks.flatMap(({ check, outcome }) => {
    if (outcome === 'PASS' || outcome === 'FAIL') return [];
    if (demands.require.includes(check)) return [`${check} is ${outcome}, and --require demands PASS`];
    return demands.strict === true && outcome === 'SKIP' ? [`${check} is SKIP, and --strict demands PASS`] : [];
  });
}

function collectNames(value: string, before: readonly string[]): readonly string[] {
  const names = value.split(',').map((name) => name.trim());
  return [...before, ...names.filter((name) => name !== '')];
}
