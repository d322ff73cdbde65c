import type { ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import { type CommandModule, type Program, runProgram } from './run-program.ts';

/** Runs one command line of `answer-evidence-verify`: the commands that need no service. Never throws. */
export async function runVerifier(argv: readonly string[], io: Io): Promise<ExitCode> {
  return runProgram(VERIFIER, argv, io);
}

const COMMANDS: readonly CommandModule[] = [
  {
    commands: {
      'verify [options] <file...>':
        'check evidence offline: bundles, packs, receipts, checkpoints, proofs of reconciliations and copies of a log',
    },
    async load() {
      const { addVerifyCommand } = await import('./commands/verify.ts');
      return (program, context) => addVerifyCommand(program, context, true);
    },
  },
  {
    commands: { receipt: 'verify receipts you saved when recording' },
    load: async () => (await import('./commands/receipt.ts')).addReceiptCommands,
  },
  {
    commands: { reconcile: 'check the proof of a reconciliation' },
    async load() {
      const { addReconcileVerifyCommand } = await import('./commands/reconcile-verify.ts');
      return (program, context) => {
        const reconcile = program.command('reconcile').description('check the proof of a reconciliation');
        addReconcileVerifyCommand(reconcile, context);
      };
    },
  },
  {
    commands: {
      'monitor [options] <log...>':
        'follow logs from outside and report forks, rollbacks, unknown keys, missing entries and stalls',
    },
    async load() {
      const { addMonitorCommand } = await import('./commands/monitor.ts');
      // A name is that of a folder: this program has no registry.
      return (program, context) => addMonitorCommand(program, context, false);
    },
  },
  {
    commands: { conformance: 'judge the cases of the conformance suite, one per line of standard input' },
    load: async () => (await import('./commands/conformance.ts')).addConformanceCommand,
  },
];

/** The program `answer-evidence-verify`. */
export const VERIFIER: Program = {
  name: 'answer-evidence-verify',
  description: 'Checks evidence that you were sent, without the service that made it.',
  notes: ['FILE... without a command is verified.', 'It opens no connection, unless a log is named by its URL.'],
  commands: COMMANDS,
};
