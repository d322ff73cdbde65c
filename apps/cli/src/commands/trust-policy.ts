import type { Command } from 'commander';
import {
  isExternalAnchor,
  type JsonObject,
  type JsonValue,
  type PutTrustPolicyRequest,
  putTrustPolicyRequest,
  type TrustPolicy,
} from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { readJsonInput, readTextInput } from '../files.ts';
import { parseWith } from '../issues.ts';
import { asFields } from '../output/blocks.ts';
import { UsageError } from '../usage-error.ts';

type SetOptions = { readonly file?: string; readonly witnessPolicy?: string };

/** `trust policy get` and `trust policy set`. */
export function addTrustPolicyCommands(trust: Command, context: Context): void {
  const policy = trust.command('policy').description('the trust policy: witnesses and anchors of the log');
  policy
    .command('get')
    .description('show the current policy')
    .action(async () => {
      const client = await context.connect();
      show(context, await client.trust.policy());
    });
  policy
    .command('set')
    .description('change the given fields of the policy; fails if the policy changed since')
    .argument('[key=value...]', 'fields with a number, true or false')
    .option('--file <file>', 'file with fields as JSON, such as `anchors`; put secret_access_key in its anchor')
    .option('--witness-policy <file>', 'file with the witnesses and their quorum, as C2SP tlog-policy text')
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
    if (!pair.includes('=') || name === '') throw new UsageError(`${pair}: must be key=value`);
    changes[name] = parseValue(value);
  }
  if (Object.keys(changes).length === 0) throw new UsageError('name at least one field to change');
  return changes;
}

function parseValue(text: string): JsonValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

function parsePolicy(value: JsonObject | TrustPolicy): PutTrustPolicyRequest {
  return parseWith(putTrustPolicyRequest, value);
}

function show(context: Context, policy: TrustPolicy): void {
  const { anchors, ...fields } = policy;
  context.show({
    json: policy,
    blocks: () =>
      asFields([
        ...Object.entries(fields),
        ...anchors.map((anchor): [string, string] => [
          `anchor ${anchor.id}`,
          isExternalAnchor(anchor)
            ? `${anchor.type} ${anchor.url}${anchor.required ? ' (required)' : ''}`
            : anchor.type,
        ]),
      ]),
  });
}
