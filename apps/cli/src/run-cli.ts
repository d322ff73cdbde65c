import type { Command } from 'commander';
import { addDeadLetterCommands } from './commands/dead-letters.ts';
import { addEntryCommands } from './commands/entries.ts';
import { addEvidenceCommands } from './commands/evidence.ts';
import { addHashKeyCommands } from './commands/hash-keys.ts';
import { addLedgerCommands } from './commands/ledger.ts';
import { addLoginCommands } from './commands/login.ts';
import { addMemberCommands } from './commands/members.ts';
import { addMonitorCommand } from './commands/monitor.ts';
import { addOtelCommands } from './commands/otel.ts';
import { addPasswordCommands } from './commands/password.ts';
import { addReceiptCommands } from './commands/receipt.ts';
import { addReconcileCommands } from './commands/reconcile.ts';
import { addRecordCommands } from './commands/records.ts';
import { addSettingsCommands } from './commands/settings.ts';
import { addTokenPrintCommand } from './commands/token-print.ts';
import { addTokenCommands } from './commands/tokens.ts';
import { addTrustCommands } from './commands/trust.ts';
import { addVerifyCommand } from './commands/verify.ts';
import { addWhoamiCommand } from './commands/whoami.ts';
import { addCompletionCommands } from './completion/add-completion.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import { type Program, runProgram } from './run-program.ts';

/** Runs one command line of `answer-evidence` in the given world. Never throws; nothing outside `io` is touched. */
export async function runCli(argv: readonly string[], io: Io): Promise<ExitCode> {
  return runProgram(CLI, argv, io);
}

/** The program `answer-evidence`. */
export const CLI: Program = {
  name: 'answer-evidence',
  description: 'Records answers and checks the evidence for them.',
  notes: [
    'The token comes from SERVICE_TOKEN or else from the configuration file (SERVICE_CONFIG, or ~/.config/answer-evidence/config.yaml).',
    'ANSWER_EVIDENCE_TOKEN, ANSWER_EVIDENCE_URL and ANSWER_EVIDENCE_CONFIG are read where SERVICE_TOKEN, SERVICE_REGISTRY and SERVICE_CONFIG are not set.',
  ],
  addCommands,
};

function addCommands(program: Command, context: Context): void {
  program.option('--registry <url>', 'workspace API host; default: SERVICE_REGISTRY, then the configuration file');
  addLoginCommands(program, context);
  addWhoamiCommand(program, context);
  addRecordCommands(program, context);
  addEvidenceCommands(program, context);
  addReconcileCommands(program, context);
  addSettingsCommands(program, context);
  addEntryCommands(program, context);
  addHashKeyCommands(program, context);
  addOtelCommands(program, context);
  addDeadLetterCommands(program, context);
  addTokenCommands(program, context);
  addTokenPrintCommand(program, context);
  addMemberCommands(program, context);
  addPasswordCommands(program, context);
  addTrustCommands(program, context);
  addVerifyCommand(program, context);
  addReceiptCommands(program, context);
  addMonitorCommand(program, context);
  addLedgerCommands(program, context);
  addCompletionCommands(program, context);
}
