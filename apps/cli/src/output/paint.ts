import { styleText } from 'node:util';
import type { Outcome } from '@answer-evidence/contracts';
import type { Io } from '../io.ts';

/** Colours for people. Every method returns the text as it is where colours are off. */
export type Paint = {
  readonly head: (text: string) => string;
  readonly cell: (text: string) => string;
  readonly outcome: (outcome: Outcome) => string;
};

/** When output is coloured: `auto` means on a terminal, unless NO_COLOR is set (https://no-color.org). */
export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;
export type ColorChoice = (typeof COLOR_CHOICES)[number];

const COLORS = { PASS: 'green', FAIL: 'red', SKIP: 'yellow', NA: 'dim' } as const;

/** The colours of standard output. */
export function choosePaint({ stdout, env }: Io, choice: ColorChoice): Paint {
  const isOn =
    choice === 'always' || (choice === 'auto' && stdout.isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb');
  const style = (format: Parameters<typeof styleText>[0], text: string) =>
    isOn ? styleText(format, text, { validateStream: false }) : text;
  return {
    head: (text) => style('bold', text),
    cell: (text) => (isOutcome(text) ? style(COLORS[text], text) : text),
    outcome: (outcome) => style(COLORS[outcome], outcome),
  };
}

function isOutcome(text: string): text is Outcome {
  return Object.hasOwn(COLORS, text);
}
