import type { Command } from 'commander';

const ID = '0199f3c2-7d11-7c44-9d1e-7a7f3f0e5a10';

/**
 * Command lines of commands, without the name of the program; `examplesOf` makes those that a name and ids are all of.
 * They stand at the end of help. Where a line is long, a backslash ends its first part.
 */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  login: [
    'login --device',
    'login --registry https://evidence.example --username ada',
    'login --token-name laptop < password.txt',
  ],
  'records list': [
    'records list --application support-bot --status voided',
    'records list --created-after 2h --columns created,id,status',
    'records list --all --output csv > records.csv',
  ],
  'records search': [
    'records search customer-1001 yesterday',
    'records search support-bot 27 Nov 14:05',
    'records search jackets on Tuesday --reason ticket-4711 --reason-code complaint',
  ],
  'records get': [
    `records get ${ID}`,
    `records get ${ID} --reason ticket-4711 --reason-code complaint`,
    `records get ${ID} --receipt-out receipt.tlog-proof`,
  ],
  'records create': [
    'records create --application support-bot --question-text "Open on Sunday?" \\\n    --answer-file answer.txt --source name=hours.md',
    'records create --json request.json --quiet',
  ],
  'records import': ['records import history.jsonl', 'records import history.jsonl --from-line 120001'],
  'records event': [
    `records event ${ID} --type voided --reason "wrong product"`,
    `records event ${ID} --type correction_appended --reason "policy changed" \\\n    --corrected-text "14 days."`,
  ],
  'records export': ['records export --all --format jsonl --out records.jsonl'],
  'records pack': [`records pack ${ID} --out pack.html`, `records pack ${ID} --withhold-texts --out pack.html`],
  'records link create': [
    `records link create ${ID} --quiet`,
    `records link create ${ID} --shows commitments --expires-in 7d`,
  ],
  'records verify': [`records verify ${ID} --summary`],
  'evidence upload': ['evidence upload handbook.pdf --application support-bot --quiet'],
  'evidence register': [
    'evidence register --application support-bot --uri https://wiki.example/returns --name Returns',
  ],
  'evidence list': ['evidence list --application support-bot --state available'],
  'evidence retrieve': [`evidence retrieve ${ID} --purpose "answer msg-125" --out retrieved.json`],
  'evidence download': [`evidence download ${ID} --out handbook.pdf --purpose "audit 2026"`],
  'evidence accesses': [`evidence accesses ${ID} --output csv`],
  'evidence disclose': ['evidence disclose bundle.json retrieved.json --out disclosed.json'],
  'reconcile run': [
    'reconcile run served.csv --application support-bot --match-on idempotency_key \\\n    --columns reference_id=message,occurred_at=served_at --from 24h',
    'reconcile run served.jsonl --application support-bot --match-on idempotency_key --since last',
  ],
  'reconcile list': ['reconcile list --application support-bot'],
  'reconcile findings': [`reconcile findings ${ID} --type missing_service --format csv --out missing.csv`],
  'reconcile proof': [`reconcile proof ${ID} --out proof.json`],
  'reconcile records': [`reconcile records ${ID} --out records.jsonl`],
  'reconcile triage list': [
    `reconcile triage list ${ID} --state open --assignee none`,
    `reconcile triage list ${ID} --overdue --sort due`,
  ],
  'reconcile triage show': [`reconcile triage show ${ID} 0`],
  'reconcile triage assign': [`reconcile triage assign ${ID} 0 --to me`],
  'reconcile triage schedule': [`reconcile triage schedule ${ID} 0 --due 2026-12-05`],
  'reconcile triage comment': [`reconcile triage comment ${ID} 0 --text-file comment.txt`],
  'reconcile triage resolve': [`reconcile triage resolve ${ID} 0 --reason cause_fixed --seen 2`],
  'reconcile triage reopen': [`reconcile triage reopen ${ID} 0`],
  'reconcile triage erase': [`reconcile triage erase ${ID} 0 2`],
  'reconcile verify': [
    'reconcile verify proof.json --references served.jsonl --records records.jsonl --trust trust.json',
  ],
  'settings set': ['settings set store_answer_text=false version=3', 'settings set otlp_rules=@rules.json'],
  overview: ['overview', 'overview --days 365 --application support-bot'],
  'entries list': ['entries list --type settings_changed --created-after 30d'],
  'readings list': [`readings list --record ${ID}`, `readings list --actor-id ${ID} --created-after 30d`],
  'entries show': [`entries show ${ID}`, `entries show ${ID} --receipt-out entry.tlog-proof --entry-out entry.json`],
  'hash-keys hash-id': ['hash-keys hash-id actor anna@example.com'],
  'otel unattached': ['otel unattached --application support-bot'],
  'otel ignored': ['otel ignored --application support-bot'],
  'otel trace': ['otel trace 4bf92f3577b34da6a3ce929d0e0e4736'],
  'otel explain': ['otel explain request.pb', 'otel explain --last'],
  'approvals list': ['approvals list --state open'],
  'approvals request': [`approvals request voided ${ID} --reason "the source was withdrawn"`],
  'tokens list': ['tokens list --status live --columns name,kind,expires'],
  'tokens create': [
    'tokens create --name support-bot --application support-bot --scope answer_audit:create --expires-in 90d',
  ],
  'tokens rotate': [`tokens rotate ${ID} --overlap 10m`],
  'token print': ['token print', 'curl -H "Authorization: Bearer $(answer-evidence token print)" https://…/api/whoami'],
  'members add': ['members add bob --role member'],
  'members role': ['members role bob manager'],
  'members disable': ['members disable bob'],
  'members enable': ['members enable bob'],
  'members reset': ['members reset bob'],
  'members link': ['members link bob "auth0|5f7c…"', 'members link bob 00uAb… --issuer https://org.okta.com'],
  'members unlink': ['members unlink bob'],
  'members remove': ['members remove bob'],
  'notifications add': [
    'notifications add on-call https://hooks.example.com/evidence --event record.redacted --event anchor.failing',
  ],
  'notifications add-mail': [
    'notifications add-mail anna anna@example.com --digest daily --hour 7 --language de --event record.redacted',
  ],
  'notifications confirm': [`notifications confirm ${ID} 0123456789abcdef01234567`],
  'notifications mine set': [
    'notifications mine set anna@example.com --digest daily --hour 7 --event findings.overdue',
  ],
  'notifications mine confirm': ['notifications mine confirm 0123456789abcdef01234567'],
  'notifications rotate': [`notifications rotate ${ID} --overlap 2d`],
  'notifications deliveries': [`notifications deliveries ${ID} --state failed`],
  'holds place': [
    'holds place case-2027-14 --reason claim --application support-bot',
    `holds place case-2027-14 --reason claim --record ${ID}`,
  ],
  'holds list': ['holds list --status in_force'],
  'holds release': [`holds release ${ID} --reason withdrawn`],
  'streams add': ['streams add siem collector.json', 'streams add archive bucket.json --format json --from beginning'],
  'streams change': [`streams change ${ID} --destination collector.json`],
  'trust proof': [`trust proof ${ID} --out bundle.json`, `trust proof ${ID} --withhold-texts --out bundle.json`],
  'trust export': ['trust export --out trust.json'],
  'trust evidence-record': ['trust evidence-record bundle.json --out record.ers --data checkpoint.txt'],
  'trust keys retire': ['trust keys retire "evidence.example/demo+2c1d5f3a+AZ…"'],
  'trust policy get': ['trust policy get --output json'],
  'trust policy set': ['trust policy set anchors_required=1 --file policy.json'],
  'trust anchor list': ['trust anchor list --size 20'],
  'trust witnesses join': [
    'trust witnesses join --contact "ops@example.com"',
    'trust witnesses join --vkey "witness.example/w1+5cd2b0f1+BEq…" --url https://witness.example --apply',
  ],
  'trust checkpoints': ['trust checkpoints --size 20'],
  verify: [
    'verify bundle.json --trust trust.json --receipt receipt.tlog-proof --summary',
    'verify bundle.json --trust trust.json --tlog https://evidence.example/tlog/demo --strict',
    'verify pack.html entry.json --trust trust.json',
    'verify copy-of-the-log --trust trust.json',
  ],
  'receipt verify': [
    'receipt verify receipt.tlog-proof --entry entry.json --vkey "evidence.example/demo+2c1d5f3a+AZ…"',
  ],
  monitor: [
    'monitor https://evidence.example/tlog/demo --state demo.json --trust trust.json',
    'monitor https://evidence.example/tlog/demo --state demo.json --trust trust.json --once --stall 24h',
  ],
  'log export': [
    'log export https://evidence.example/tlog/demo --to /srv/www/demo --trust trust.json',
    'log export copy-of-the-log --to /mnt/archive/demo --trust trust.json',
  ],
  completion: ['completion bash', 'completion fish'],
};

/** The commands that do something, each under its names from the program's downwards. */
export function listLeaves(command: Command, path: readonly string[] = []): readonly (readonly [string, Command])[] {
  const below = command.createHelp().visibleCommands(command);
  const named = below.filter((one) => one.name() !== 'help');
  if (named.length === 0) return [[path.join(' '), command]];
  return named.flatMap((one) => listLeaves(one, [...path, one.name()]));
}

/** The lines of a command: its own, or its name and an id for each argument; undefined where it takes anything else. */
export function examplesOf(path: string, { registeredArguments, options }: Command): readonly string[] | undefined {
  const own = EXAMPLES[path];
  if (own !== undefined) return own;
  const needed = registeredArguments.filter(({ required }) => required);
  if (
    options.some(({ mandatory }) => mandatory) ||
    !needed.every(({ description }) => description.startsWith('id of '))
  )
    return undefined;
  return [[path, ...needed.map(() => ID)].join(' ')];
}

/** Ends the help of every command with its examples. */
export function addExamples(program: Command): void {
  for (const [path, command] of listLeaves(program)) {
    const lines = (examplesOf(path, command) ?? []).map(
      (line) => `  ${isForeign(line) ? '' : `${program.name()} `}${line}\n`,
    );
    if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('')}`.trimEnd());
  }
}

/** Whether a line begins with another program. */
function isForeign(line: string): boolean {
  return line.startsWith('curl ');
}
