import * as z from 'zod';
import { formatTable } from './format-table.ts';
import { wrap } from './wrap.ts';

/** A setting as the runtime declares it. */
export type Setting = { readonly schema: z.ZodType; readonly purpose: string };

/** When a secret that has changed in its file comes into use. */
type SecretUse = { readonly from: string; readonly how: string };

const SECRETS_INTRODUCTION = `Each secret may be in a file instead: \`NAME_FILE\` names it. A line break at its end is \
not part of the secret, and setting both is refused. Where the table says *next use*, a process looks at the file every \
two seconds, says on standard error that it took up a new secret, and needs no restart; a file that cannot be used is \
reported once, and the secret before it stays. Where it says *restart*, replace the file and restart one process after the other.`;

const SECRETS_END = `A secret that is a variable and not a file is what it was when the process started. Replace a file \
by renaming a new one over it. Let Redis, the store or the provider accept both secrets until every process has reported \
the new one. Redis with \`requirepass\` accepts one alone: change it first, then the file; connections that are open \
stay signed in, and new ones try again until the file has it.`;

/** Files that are no secrets of a setting, or whose setting names the file itself. */
const OTHER_FILES = [
  ['files of `SERVICE_TLS_CERT_FILE` and `SERVICE_TLS_KEY_FILE`', 'next use', 'For the next connection, as a pair.'],
  ['file of `sslrootcert` in `DATABASE_URL`', 'next use', 'For the next connection to PostgreSQL.'],
  [
    'files of `NODE_EXTRA_CA_CERTS` and `OTEL_EXPORTER_OTLP_CERTIFICATE`',
    'restart',
    'Node and its libraries read them once.',
  ],
];

function formatUse([name, { from, how }]: readonly [string, SecretUse]): string[] {
  return [`\`${name}\``, from, `${how}.`];
}

/** The page of all settings, in the order in which they are declared. */
export function formatConfiguration(
  settings: Readonly<Record<string, Setting>>,
  secrets: Readonly<Record<string, SecretUse>>,
): string {
  const rows = Object.entries(settings).map(([name, { schema, purpose }]) => {
    const { form, fallback } = describe(schema);
    return [`\`${name}\``, `${purpose}.`, form, fallback === undefined ? '–' : `\`${fallback}\``];
  });
  return `# Configuration

<!-- Made from the files in libs/runtime/src/ground/settings/ by \`npm run docs:generate\`. Do not edit. -->

Every setting is an environment variable. A process checks its settings when it starts; if one is invalid, the process
exits with a message that names it and says what to do. An empty variable counts as unset. The service reads no other
variables, but those of its libraries (\`OTEL_EXPORTER_OTLP_*\`, \`NODE_EXTRA_CA_CERTS\`). \`npx answer-evidence --help\`
lists those of the command line client (\`SERVICE_CONFIG\`, \`SERVICE_REGISTRY\`, \`SERVICE_TOKEN\`).

${formatTable(['variable', 'purpose', 'form', 'default'], rows)}

## Secrets

${wrap(SECRETS_INTRODUCTION)}

${formatTable(['secret', 'a new one is used', 'how'], [...Object.entries(secrets).map(formatUse), ...OTHER_FILES])}

${wrap(SECRETS_END)}

To add a setting, add it to a file in \`libs/runtime/src/ground/settings/\` and to the table of
\`libs/runtime/src/ground/config.test.ts\`, then run \`npm run docs:generate\`. A test fails if this page differs from
what that command writes.
`;
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
