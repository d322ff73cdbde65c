import { putTrustPolicyRequest } from '@answer-evidence/contracts';
import type { JsonObject, JsonValue, PutTrustPolicyRequest, TrustPolicy } from '@answer-evidence/contracts';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { readJsonInput, readTextInput } from '../files.ts';
import { formatIssues } from '../issues.ts';
import { formatFields } from '../table.ts';
import { UsageError } from '../usage-error.ts';

type SetOptions = { readonly file?: string; readonly witnessPolicy?: string };

/** `trust policy get` and `trust policy set`. */
export function addTrustPolicyCommands(trust: Command, context: Context): void {
  const policy = trust.command('policy').description('what has to vouch for the log from outside');
  policy
    .command('get')
    .description('the policy in force')
    .action(async () => {
      const client = await context.connect();
      show(context, await client.trust.policy());
    });
  policy
    .command('set')
    .description('change the policy: what is not named stays; refused when another change came first')
    .argument('[key=value...]', 'fields that are a number, true or false')
    .option('--file <file>', 'fields as JSON, such as `anchors`; a secret_access_key stands in its anchor')
    .option('--witness-policy <file>', 'the witnesses and their quorum, as C2SP tlog-policy text')
    .action(async (pairs: readonly string[], options: SetOptions) => {
      const changes = await readChanges(context, pairs, options);
      const client = await context.connect();
      const current = await client.trust.policy();
      show(context, await client.trust.setPolicy(parsePolicy({ ...current, ...changes })));
    });
}

async function readChanges(context: Context, pairs: readonly string[], options: SetOptions): Promise<JsonObject> {
  const { io } = context;
  const changes: Record<string, JsonValue> = {};
  if (options.file !== undefined) {
    const fields = await readJsonInput(io, options.file);
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
      throw new UsageError(`${options.file}: not an object of fields`);
    Object.assign(changes, fields);
  }
  if (options.witnessPolicy !== undefined) changes['witness_policy'] = await readTextInput(io, options.witnessPolicy);
  for (const pair of pairs) {
    const [name = '', value = ''] = pair.split('=', 2);
    if (!pair.includes('=') || name === '') throw new UsageError(`${pair}: a field is given as key=value`);
    changes[name] = parseValue(value);
  }
  if (Object.keys(changes).length === 0) throw new UsageError('name what is to change');
  return changes;
}

function parseValue(text: string): JsonValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

function parsePolicy(value: JsonObject | TrustPolicy): PutTrustPolicyRequest {
  const parsed = putTrustPolicyRequest.safeParse(value);
  if (!parsed.success) throw new UsageError(formatIssues(parsed.error.issues));
  return parsed.data;
}

function show(context: Context, policy: TrustPolicy): void {
  const { anchors, ...fields } = policy;
  context.show({
    json: policy,
    table: () =>
      formatFields([
        ...Object.entries(fields),
        ...anchors.map((anchor): [string, string] => [
          `anchor ${anchor.id}`,
          anchor.type === 'file' ? 'file' : `${anchor.type} ${anchor.url}${anchor.required ? ' (required)' : ''}`,
        ]),
      ]),
  });
}
