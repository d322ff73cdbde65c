import type { Command } from 'commander';
import { addConformanceCommand } from './commands/conformance.ts';
import { addMonitorCommand } from './commands/monitor.ts';
import { addReceiptCommands } from './commands/receipt.ts';
import { addReconcileVerifyCommand } from './commands/reconcile-verify.ts';
import { addVerifyCommand } from './commands/verify.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import { type Program, runProgram } from './run-program.ts';

/** Runs one command line of `answer-evidence-verify`: the commands that need no service. Never throws. */
export async function runVerifier(argv: readonly string[], io: Io): Promise<ExitCode> {
  return runProgram(VERIFIER, argv, io);
}

const VERIFIER: Program = {
  name: 'answer-evidence-verify',
  description: 'Checks evidence that you were sent, without the service that made it.',
  notes: ['FILE... without a command is verified.', 'It opens no connection, unless a log is named by its URL.'],
  addCommands(program: Command, context: Context) {
    addVerifyCommand(program, context, true);
    addReceiptCommands(program, context);
    const reconcile = program.command('reconcile').description('check the proof of a reconciliation');
    addReconcileVerifyCommand(reconcile, context);
    // A name is that of a folder: this program has no registry.
    addMonitorCommand(program, context, false);
    addConformanceCommand(program, context);
  },
};
