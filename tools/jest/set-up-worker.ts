import { registerHooks } from 'node:module';
import fc from 'fast-check';
import { addEventHandler } from 'jest-circus';
import { bounded } from './bounded.ts';

const GLOBALS = new URL('./globals.ts', import.meta.url).href;

// Test files name `@jest/globals`, which has the types, and get the functions of the runner.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
});

// `jest-light-runner` calls the tests and hooks that Jest collected by itself, and waits for them without end.
addEventHandler((event, { currentDescribeBlock: block }) => {
  const added =
    event.name === 'add_test' ? block.tests.at(-1) : event.name === 'add_hook' ? block.hooks.at(-1) : undefined;
  // With a parameter it would be given a callback; no test of ours takes one.
  if (added !== undefined) added.fn = bounded(added.fn as () => unknown, added.timeout ?? undefined);
});

// A gate repeats its draws, so that it judges the change and not its luck; elsewhere each run draws anew.
if (process.env['PROPERTY_SEED']) fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED']) });
