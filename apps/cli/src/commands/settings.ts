import type { Command } from 'commander';
import {
  type JsonValue,
  type PatchSettingsRequest,
  patchSettingsRequest,
  type TenantSettings,
} from '@answer-evidence/contracts';
import { findNearest } from '@answer-evidence/contracts/nearest-name';
import type { Context } from '../context.ts';
import { readJson, readJsonInput } from '../files.ts';
import { parseWith } from '../issues.ts';
import { asFields } from '../output/blocks.ts';
import { UsageError } from '../usage-error.ts';

const PREFIX = 'answer_audit_';
/** What can be set, as it is written on the command line. */
const NAMES = Object.keys(patchSettingsRequest.shape).map((name) => name.replace(PREFIX, ''));

/** `settings get` and `settings set`. */
export function addSettingsCommands(program: Command, context: Context): void {
  const settings = program.command('settings').description('the answer-evidence settings of the workspace');
  settings
    .command('get')
    .description('show the current settings')
    .action(async () => {
      const client = await context.connect();
      show(context, await client.settings.get());
    });
  settings
    .command('set')
    .description('change settings for future records')
    .argument(
      '<key=value...>',
      `fields; ${PREFIX} may be left out; otlp_rules=@FILE reads JSON from a file, otlp_rules=[] removes all; ` +
        `retention_floor='{"days": 183, "reason": "..."}' keeps at least so long, retention_floor=null removes it; ` +
        'with version=<n>, fails if the settings changed since',
    )
    .action(async (pairs: readonly string[]) => {
      const patch = await parsePatch(context, pairs);
      const client = await context.connect();
      show(context, await client.settings.patch(patch));
    });
}

function show(context: Context, settings: TenantSettings): void {
  const fields = Object.entries(settings).map(
    ([name, value]) => [name, typeof value === 'object' && value !== null ? JSON.stringify(value) : value] as const,
  );
  context.show({ json: settings, blocks: () => asFields(fields) });
}

async function parsePatch({ io }: Context, pairs: readonly string[]): Promise<PatchSettingsRequest> {
  const fields = await Promise.all(
    pairs.map(async (pair): Promise<[string, unknown]> => {
      const [name, text] = parsePair(pair);
      return [name, text.startsWith('@') ? await readJsonInput(io, text.slice(1)) : parseValue(name, text)];
    }),
  );
  const patch = Object.fromEntries(fields);
  if (Object.keys(patch).length !== fields.length)
    throw new UsageError('a setting is given twice; give each setting once');
  return parseWith(patchSettingsRequest, patch);
}

function parsePair(pair: string): [name: string, text: string] {
  const end = pair.indexOf('=');
  if (end < 1) throw new UsageError(`${pair}: must be key=value`);
  const name = pair.slice(0, end).replace(PREFIX, '');
  if (!NAMES.includes(name)) throw new UsageError(`${pair.slice(0, end)}: ${describeUnknown(name)}`);
  return [name === 'version' ? name : PREFIX + name, pair.slice(end + 1)];
}

function describeUnknown(name: string): string {
  const meant = findNearest(name, NAMES);
  const hint = meant === undefined ? `use one of ${NAMES.join(', ')}` : `did you mean ${meant}?`;
  return `is an unknown setting; ${hint}`;
}

function parseValue(name: string, text: string): JsonValue {
  if (/^[[{]/.test(text)) return readJson(name, new TextEncoder().encode(text));
  if (text === 'null') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}
