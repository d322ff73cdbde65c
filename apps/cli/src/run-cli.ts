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
  {
    commands: {
      'login [options]':
        'sign in with a password (prompted, or from standard input), or in a browser, and save the token',
      logout: 'revoke the saved token and remove it from the configuration file',
    },
    load: async () => (await import('./commands/login.ts')).addLoginCommands,
  },
  {
    commands: { whoami: 'show the current user and workspace' },
    load: async () => (await import('./commands/whoami.ts')).addWhoamiCommand,
  },
  {
    commands: { records: 'answer records' },
    load: async () => (await import('./commands/records.ts')).addRecordCommands,
  },
  {
    commands: { evidence: 'evidence for answers: files, passages and references' },
    load: async () => (await import('./commands/evidence.ts')).addEvidenceCommands,
  },
  {
    commands: { reconcile: 'compare your own list with the stored records' },
    load: async () => (await import('./commands/reconcile.ts')).addReconcileCommands,
  },
  {
    commands: { settings: 'the answer-evidence settings of the workspace' },
    load: async () => (await import('./commands/settings.ts')).addSettingsCommands,
  },
  {
    commands: { 'overview [options]': 'say what needs somebody, and how many answers there were' },
    load: async () => (await import('./commands/overview.ts')).addOverviewCommand,
  },
  {
    commands: { entries: 'what was done in the workspace (managers only)' },
    load: async () => (await import('./commands/entries.ts')).addEntryCommands,
  },
  {
    commands: { readings: 'who read the texts of which records, and why (managers only)' },
    load: async () => (await import('./commands/readings.ts')).addReadingCommands,
  },
  {
    commands: { 'hash-keys': 'tenant keys for keyed hashes' },
    load: async () => (await import('./commands/hash-keys.ts')).addHashKeyCommands,
  },
  {
    commands: { otel: 'data received through OpenTelemetry' },
    load: async () => (await import('./commands/otel.ts')).addOtelCommands,
  },
  {
    commands: { approvals: 'acts that need a second person' },
    load: async () => (await import('./commands/approvals.ts')).addApprovalCommands,
  },
  {
    commands: { 'dead-letters': 'jobs that failed permanently' },
    load: async () => (await import('./commands/dead-letters.ts')).addDeadLetterCommands,
  },
  {
    commands: { tokens: 'tokens of the workspace' },
    load: async () => (await import('./commands/tokens.ts')).addTokenCommands,
  },
  {
    commands: { token: 'the token that commands use' },
    load: async () => (await import('./commands/token-print.ts')).addTokenPrintCommand,
  },
  {
    commands: { members: 'manage members of the workspace (managers only)' },
    load: async () => (await import('./commands/members.ts')).addMemberCommands,
  },
  {
    commands: { notifications: 'where notifications go, and what went there (managers only, but for `mine`)' },
    load: async () => (await import('./commands/notifications.ts')).addNotificationCommands,
  },
  {
    commands: { holds: 'what keeps records from expiry and redaction (managers; auditors read)' },
    load: async () => (await import('./commands/holds.ts')).addHoldCommands,
  },
  {
    commands: { streams: 'where the entries of the log are sent, such as a SIEM (managers only)' },
    load: async () => (await import('./commands/streams.ts')).addStreamCommands,
  },
  {
    commands: { password: 'your password' },
    load: async () => (await import('./commands/password.ts')).addPasswordCommands,
  },
  {
    commands: { trust: 'proofs, keys, policy, witnesses and anchors' },
    load: async () => (await import('./commands/trust.ts')).addTrustCommands,
  },
  {
    commands: {
      'verify [options] <file...>':
        'check evidence offline: bundles, packs, receipts, checkpoints, proofs of reconciliations and copies of a log',
    },
    load: async () => (await import('./commands/verify.ts')).addVerifyCommand,
  },
  {
    commands: { receipt: 'verify receipts you saved when recording' },
    load: async () => (await import('./commands/receipt.ts')).addReceiptCommands,
  },
  {
    commands: {
      'monitor [options] <log...>':
        'follow logs from outside and report forks, rollbacks, unknown keys, missing entries and stalls',
    },
    load: async () => (await import('./commands/monitor.ts')).addMonitorCommand,
  },
  {
    commands: { log: 'copies of a log that outlive its operator' },
    load: async () => (await import('./commands/log-export.ts')).addLogCommands,
  },
  {
    commands: { ledger: 'check the ledger of the workspace' },
    load: async () => (await import('./commands/ledger.ts')).addLedgerCommands,
  },
  // What completes asks for every command, so it is not named here.
  {
    commands: { 'completion <shell>': 'print the script that makes a shell complete commands and options' },
    load: async () => (await import('./completion/add-completion.ts')).addCompletionCommands,
  },
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
