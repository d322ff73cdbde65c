import { parseArgs } from 'node:util';
import { type Case, type Outcome, runCase } from './run-case.ts';
import type { Language, Protocol } from './senders.ts';

const USAGE =
  'usage: npm run suite -- otlp-crash [--only <beginning of a row>] [--rounds <kills of each>] [--collector <program>]';
const ROUNDS_DEFAULT = 4;
const PROTOCOLS: readonly Protocol[] = ['http/protobuf', 'grpc'];
const WAYS: readonly Case['way'][] = ['ledger', 'inbox'];

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: String(ROUNDS_DEFAULT) },
    collector: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) process.stdout.write(`${USAGE}\n`);
else process.exitCode = (await runAll()) ? 0 : 1;

/** Runs the cases that are wanted, one after the other, and prints a row for each; whether all of them held. */
async function runAll(): Promise<boolean> {
  let hasHeld = true;
  process.stdout.write('| load | way | kills | acknowledged | lost | surplus | ledger check |\n');
  process.stdout.write('| --- | --- | ---: | ---: | ---: | ---: | --- |\n');
  for (const one of cases()) {
    const name = `${nameOf(one)} | ${one.way}`;
    if (!name.startsWith(values.only)) continue;
    const outcome = await runCase(one, (line) => process.stderr.write(`${name}: ${line}\n`));
    for (const [words, times] of outcome.failures) process.stderr.write(`${name}: ${times} times: ${words}\n`);
    const { kills, acknowledged, lost, surplus, ledgerCheck } = outcome;
    process.stdout.write(`| ${name} | ${kills} | ${acknowledged} | ${lost} | ${surplus} | ${ledgerCheck} |\n`);
    hasHeld &&= holds(outcome);
  }
  return hasHeld;
}

function cases(): readonly Case[] {
  const rounds = Number(values.rounds);
  const loads: readonly (readonly [Language, string | undefined])[] = [
    ['go', undefined],
    ['python', undefined],
    ['java', undefined],
    ...(values.collector === undefined ? [] : [['go', values.collector] as const]),
  ];
  return loads.flatMap(([language, collector]) =>
    PROTOCOLS.flatMap((protocol) => WAYS.map((way) => ({ language, protocol, collector, way, rounds }))),
  );
}

function nameOf({ language, protocol, collector }: Case): string {
  return `${collector === undefined ? language : 'Collector'}, ${protocol}`;
}

function holds({ lost, surplus, ledgerCheck }: Outcome): boolean {
  return lost === 0 && surplus === 0 && ledgerCheck === 'PASS';
}
