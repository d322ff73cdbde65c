import { Option } from 'commander';
import type { ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import { type CommandModule, type Program, runProgram } from './run-program.ts';

/** Runs one command line of `answer-evidence` in the given world. Never throws; nothing outside `io` is touched. */
export async function runCli(argv: readonly string[], io: Io): Promise<ExitCode> {
  return runProgram(CLI, argv, io);
}

/** In the order of help. */
const COMMANDS: readonly CommandModule[] = [
  { names: ['login', 'logout'], load: async () => (await import('./commands/login.ts')).addLoginCommands },
  { names: ['whoami'], load: async () => (await import('./commands/whoami.ts')).addWhoamiCommand },
  { names: ['records'], load: async () => (await import('./commands/records.ts')).addRecordCommands },
  { names: ['evidence'], load: async () => (await import('./commands/evidence.ts')).addEvidenceCommands },
  { names: ['reconcile'], load: async () => (await import('./commands/reconcile.ts')).addReconcileCommands },
  { names: ['settings'], load: async () => (await import('./commands/settings.ts')).addSettingsCommands },
  { names: ['entries'], load: async () => (await import('./commands/entries.ts')).addEntryCommands },
  { names: ['hash-keys'], load: async () => (await import('./commands/hash-keys.ts')).addHashKeyCommands },
  { names: ['otel'], load: async () => (await import('./commands/otel.ts')).addOtelCommands },
  { names: ['dead-letters'], load: async () => (await import('./commands/dead-letters.ts')).addDeadLetterCommands },
  { names: ['tokens'], load: async () => (await import('./commands/tokens.ts')).addTokenCommands },
  { names: ['token'], load: async () => (await import('./commands/token-print.ts')).addTokenPrintCommand },
  { names: ['members'], load: async () => (await import('./commands/members.ts')).addMemberCommands },
  { names: ['password'], load: async () => (await import('./commands/password.ts')).addPasswordCommands },
  { names: ['trust'], load: async () => (await import('./commands/trust.ts')).addTrustCommands },
  { names: ['verify'], load: async () => (await import('./commands/verify.ts')).addVerifyCommand },
  { names: ['receipt'], load: async () => (await import('./commands/receipt.ts')).addReceiptCommands },
  { names: ['monitor'], load: async () => (await import('./commands/monitor.ts')).addMonitorCommand },
  { names: ['ledger'], load: async () => (await import('./commands/ledger.ts')).addLedgerCommands },
  // What completes asks for every command, so it is not named here.
  { names: ['completion'], load: async () => (await import('./completion/add-completion.ts')).addCompletionCommands },
];

/** The program `answer-evidence`. */
export const CLI: Program = {
  name: 'answer-evidence',
  description: 'Records answers and checks the evidence for them.',
  notes: [
    'The token comes from SERVICE_TOKEN or else from the configuration file (SERVICE_CONFIG, or ~/.config/answer-evidence/config.yaml).',
    'ANSWER_EVIDENCE_TOKEN, ANSWER_EVIDENCE_URL and ANSWER_EVIDENCE_CONFIG are read where SERVICE_TOKEN, SERVICE_REGISTRY and SERVICE_CONFIG are not set.',
  ],
  options: [
    new Option('--registry <url>', 'workspace API host; default: SERVICE_REGISTRY, then the configuration file'),
  ],
  commands: COMMANDS,
};
