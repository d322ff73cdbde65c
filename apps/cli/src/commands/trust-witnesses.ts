import type { Command } from 'commander';
import type { TrustPolicy, TrustTest, WitnessItem } from '@answer-evidence/contracts';
import {
  COSIGNATURE_ED25519,
  COSIGNATURE_ML_DSA_44,
  defaultQuorum,
  formatFingerprint,
  formatWitnessRows,
  NoteError,
  parseVkey,
  parseWitnessPolicy,
  readWitnessRows,
  type WitnessRow,
} from '@answer-evidence/note';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { formatLogList, requestsPerDay } from '../log-list.ts';
import { asFields, asTable, type Block } from '../output/blocks.ts';
import { UsageError } from '../usage-error.ts';

type JoinOptions = {
  readonly contact?: string;
  readonly vkey?: string;
  readonly url?: string;
  readonly name?: string;
  readonly apply?: true;
};

/** `trust witnesses`, and `trust witnesses join`. */
export function addTrustWitnessCommands(trust: Command, context: Context): void {
  const witnesses = trust.command('witnesses').description('the witnesses of the log');
  witnesses
    .command('list', { isDefault: true })
    .description('show the state of each witness in the policy')
    .action(() => context.report(async (client) => ({ items: await client.trust.witnesses() }), viewWitnesses));
  witnesses
    .command('join')
    .description('show what a witness needs to know of the log; with --vkey and --url, have it cosign')
    .option('--contact <text>', 'how the operator of a witness reaches you; it stands in the log list')
    .option('--vkey <vkey>', 'key of the witness')
    .option('--url <url>', 'address of the witness (its submission prefix)')
    .option('--name <name>', 'name of the witness in the policy; otherwise made of its key')
    .option('--apply', 'put the witness into the policy once it has cosigned')
    .action((options: JoinOptions) => join(context, options));
}

async function join(context: Context, options: JoinOptions): Promise<void> {
  const witness = readWitness(options);
  const contact = readContact(options.contact);
  const { trust: api } = await context.connect();
  const [keys, policy] = [await api.keys(), await api.policy()];
  const live = keys.items.filter(({ state }) => state !== 'retired');
  const [known] = live.filter(({ algorithm }) => algorithm === 'ed25519');
  const perDay = requestsPerDay(policy.checkpoint_interval_seconds);
  const list = formatLogList({ vkey: known?.vkey ?? '', perDay, contact });
  const tested =
    witness === undefined ? undefined : await api.testWitness({ vkey: witness.vkey, url: witness.url, cosign: true });
  const changed = witness === undefined ? undefined : withWitness(policy, witness);
  const isApplied = options.apply === true && tested?.outcome === 'works' && changed !== undefined;
  if (isApplied) await api.setPolicy({ ...policy, witness_policy: changed });
  context.show({
    json: {
      ...{ origin: keys.origin, keys: live, requests_per_day: perDay, log_list: list },
      ...{ test: tested ?? null, witness_policy: changed ?? null, applied: isApplied },
    },
    blocks: () => [
      asFields([
        ['origin', keys.origin],
        ...live.map(({ algorithm, vkey }): [string, string] => [`key (${algorithm})`, vkey]),
        ...live.map(({ algorithm, vkey }): [string, string] => [`fingerprint (${algorithm})`, formatFingerprint(vkey)]),
        ['requests per day', String(perDay)],
        ...(tested === undefined ? [] : ([['witness', `${tested.outcome}: ${tested.detail}`]] as const)),
      ]),
      asLines(list),
      ...(changed === undefined ? [] : [asLines(changed)]),
    ],
  });
  conclude(context, { witness, tested, changed, isApplied, isAsked: options.apply === true });
}

type Joined = {
  readonly witness: WitnessRow | undefined;
  readonly tested: TrustTest | undefined;
  readonly changed: string | undefined;
  readonly isApplied: boolean;
  readonly isAsked: boolean;
};

/** Says what to do next, and ends with 1 where the witness has not cosigned or is not in the policy as was asked. */
function conclude(context: Context, { witness, tested, changed, isApplied, isAsked }: Joined): void {
  if (witness === undefined) {
    context.note('Give the log list to the operator of a witness. Then run this again with its --vkey and --url.');
    return;
  }
  if (tested?.outcome !== 'works') {
    context.note(`${witness.name} has not cosigned: ${tested?.detail ?? 'it was not asked'}.`);
    context.end(EXIT.failed);
    return;
  }
  if (isApplied) context.note('The policy has the witness. Export the trust file anew for your auditors.');
  else if (changed === undefined) {
    context.note('The policy has groups of its own, so put the line into it yourself with `trust policy set`.');
    if (isAsked) context.end(EXIT.failed);
  } else context.note('Add --apply to put it into the policy as shown.');
}

/** The policy text with one witness more, and a quorum of most while nobody chose another; undefined with groups. */
function withWitness({ witness_policy: text }: TrustPolicy, witness: WitnessRow): string | undefined {
  const now = readWitnessRows(text);
  if (now === undefined) return undefined;
  const others = now.rows.filter(({ vkey }) => vkey !== witness.vkey);
  const rows = [...others, { ...witness, name: freeName(witness.name, others) }];
  const isChosen = now.rows.length > 0 && now.quorum !== 'none' && now.quorum !== defaultQuorum(now.rows.length);
  return formatWitnessRows({ rows, quorum: isChosen ? now.quorum : defaultQuorum(rows.length) });
}

function freeName(name: string, others: readonly WitnessRow[]): string {
  const isTaken = (candidate: string) => others.some((row) => row.name === candidate);
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name}-${n}`;
    if (!isTaken(candidate)) return candidate;
  }
}

function readWitness({ vkey, url, name, apply }: JoinOptions): WitnessRow | undefined {
  if (vkey === undefined && url === undefined && name === undefined && apply === undefined) return undefined;
  if (vkey === undefined || url === undefined) throw new UsageError('give both --vkey and --url of the witness');
  const key = readVkey(vkey);
  const row = { name: name ?? key.name.replaceAll('/', '-'), vkey, url };
  try {
    parseWitnessPolicy(formatWitnessRows({ rows: [row], quorum: 'all' }));
  } catch {
    throw new UsageError('--name and --url must each be one word, and the name not "none"');
  }
  return row;
}

function readVkey(text: string) {
  try {
    const key = parseVkey(text);
    if ([COSIGNATURE_ED25519, COSIGNATURE_ML_DSA_44].includes(key.type)) return key;
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new UsageError(`--vkey: ${error.reason}`);
  }
  throw new UsageError('--vkey: must be the key of a witness (type 4 or 6), not of a log');
}

function readContact(text: string | undefined): string | undefined {
  if (text !== undefined && (/[\p{Cc}\u2028\u2029]/u.test(text) || text.trim() === ''))
    throw new UsageError('--contact must be one line');
  return text?.trim();
}

function asLines(text: string): Block {
  return { kind: 'lines', lines: text.trimEnd().split('\n') };
}

function viewWitnesses({ items }: { readonly items: readonly WitnessItem[] }): Block {
  return asTable(
    ['name', 'cosigned size', 'failures', 'last error', 'asked again', 'vkey'],
    items.map((item) => [item.name, item.tree_size, item.failures, item.last_error, item.next_attempt_at, item.vkey]),
  );
}
