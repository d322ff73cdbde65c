import * as z from 'zod';
import { formatTable } from './format-table.ts';
import { wrap } from './wrap.ts';

/** A setting as the runtime declares it. */
export type Setting = { readonly schema: z.ZodType; readonly purpose: string };

/** The page of all settings, in the order in which they are declared. */
export function formatConfiguration(
  settings: Readonly<Record<string, Setting>>,
  secrets: readonly string[],
  followed: readonly string[],
): string {
  const rows = Object.entries(settings).map(([name, { schema, purpose }]) => {
    const { form, fallback } = describe(schema);
    return [`\`${name}\``, `${purpose}.`, form, fallback === undefined ? '–' : `\`${fallback}\``];
  });
  return `# Configuration

<!-- Made from the files in libs/runtime/src/start/settings/ by \`npm run docs:generate\`. Do not edit. -->

Every setting is an environment variable. A process checks its settings when it starts; if one is invalid, the process
exits with a message that names it and says what to do. An empty variable counts as unset. The service reads no other
variables, but those of its libraries (\`OTEL_EXPORTER_OTLP_*\`, \`NODE_EXTRA_CA_CERTS\`). \`npx answer-evidence --help\`
lists those of the command line client (\`SERVICE_CONFIG\`, \`SERVICE_REGISTRY\`, \`SERVICE_TOKEN\`).

${wrap(describeSecrets(secrets, followed))}

${formatTable(['variable', 'purpose', 'form', 'default'], rows)}

To add a setting, add it to a file in \`libs/runtime/src/start/settings/\` and to the table of
\`libs/runtime/src/start/config.test.ts\`, then run \`npm run docs:generate\`. A test fails if this page differs from
what that command writes.
`;
}

function describeSecrets(names: readonly string[], followed: readonly string[]): string {
  const list = (some: readonly string[]) => some.map((name) => `\`${name}\``).join(', ');
  return `A secret may be in a file instead: \`NAME_FILE\` names the file of ${list(names)}. \
A line break at its end is not part of the secret, and setting both is refused. The files of \
${list(followed)} and of a TLS certificate are read again within seconds of a change. All others are read once, when the \
process starts: to change such a secret, replace the file and restart one process after the other.`;
}

/** What the JSON Schema of a setting shows of it: its form in words, and what an unset variable means. */
function describe(schema: z.ZodType): { readonly form: string; readonly fallback: string | undefined } {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const unset = schema.safeParse(undefined).data;
  const fallback = unset === undefined ? undefined : formatJsonText(unset);
  if (json.description !== undefined) return { form: json.description, fallback };
  if (json.enum !== undefined) return { form: json.enum.map((value) => `\`${String(value)}\``).join(', '), fallback };
  return { form: 'text', fallback };
}

function formatJsonText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
