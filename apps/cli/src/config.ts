import { parse, stringify } from 'yaml';
import * as z from 'zod';
import type { Io } from './io.ts';
import { readWith } from './issues.ts';
import { parseRegistry } from './registry.ts';
import { describeFileError, findErrorCode, ofFile } from './system-error.ts';
import { UsageError } from './usage-error.ts';

const text = z.string().optional();
/** The configuration file; another key is refused, since it is a typing error or no configuration of this program. */
const configFile = z.strictObject({
  registry: text,
  auth: z.strictObject({ token: text, token_id: text, token_name: text }).optional(),
  profile: z.strictObject({ username: text, tenant_slug: text, tenant_display_name: text }).optional(),
});
type ConfigFile = z.infer<typeof configFile>;

/** Where requests go and by which token. */
export type Connection = {
  readonly registry: string;
  readonly token: string;
  /** The workspace that the token was saved for, when both token and workspace are the file's. */
  readonly savedSlug: string | undefined;
};

/** Environment variables, each under its names: the first that is set counts. The SDKs read the second names too. */
const VARIABLES = {
  registry: ['SERVICE_REGISTRY', 'ANSWER_EVIDENCE_URL', 'ANSWER_EVIDENCE_REGISTRY'],
  token: ['SERVICE_TOKEN', 'ANSWER_EVIDENCE_TOKEN'],
  config: ['SERVICE_CONFIG', 'ANSWER_EVIDENCE_CONFIG'],
} as const;

function findVariable({ env }: Io, of: keyof typeof VARIABLES): { text: string; source: string } | undefined {
  for (const source of VARIABLES[of]) {
    const text = nonEmpty(env[source]);
    if (text !== undefined) return { text, source };
  }
  return undefined;
}

/** Path of the configuration file: `SERVICE_CONFIG`, else below the home directory. */
function findConfigPath(io: Io): string {
  return findVariable(io, 'config')?.text ?? io.paths.join(io.homeDir, '.config', 'answer-evidence', 'config.yaml');
}

/**
 * Registry: `--registry`, then `SERVICE_REGISTRY`, then the file. Token: `SERVICE_TOKEN`, then the file; there is no
 * option, because arguments are visible to every process of the machine. The file is read only when something is still
 * missing. Throws `UsageError`, which never quotes the token or the file.
 */
export async function resolveConnection(io: Io, registryOption: string | undefined): Promise<Connection> {
  const given = findGivenRegistry(io, registryOption);
  const envToken = findVariable(io, 'token')?.text;
  const path = findConfigPath(io);
  const file = given !== undefined && envToken !== undefined ? {} : await readConfig(io, path);

  const fileRegistry = nonEmpty(file.registry);
  const registry = given ?? (fileRegistry === undefined ? undefined : { text: fileRegistry, source: path });
  if (registry === undefined) {
    throw new UsageError(`no registry: give --registry, set SERVICE_REGISTRY, or save one in ${path}`);
  }
  const token = envToken ?? nonEmpty(file.auth?.token);
  if (token === undefined) throw new UsageError(`no token: set SERVICE_TOKEN, or save one in ${path}`);
  return {
    registry: parseRegistry(registry.text, registry.source),
    token: assertTokenForm(token),
    savedSlug: envToken === undefined ? nonEmpty(file.profile?.tenant_slug) : undefined,
  };
}

/** The registry alone, for commands without a token: `--registry`, `SERVICE_REGISTRY` or file. Throws `UsageError`. */
export async function resolveRegistry(io: Io, registryOption: string | undefined): Promise<string> {
  const path = findConfigPath(io);
  const given = findGivenRegistry(io, registryOption);
  const saved = given === undefined ? nonEmpty((await readSaved(io)).registry) : undefined;
  const registry = given ?? (saved === undefined ? undefined : { text: saved, source: path });
  if (registry === undefined) {
    throw new UsageError(`no registry: give --registry, set SERVICE_REGISTRY, or save one in ${path}`);
  }
  return parseRegistry(registry.text, registry.source);
}

/** What a login saves. */
export type SavedLogin = {
  readonly registry: string;
  readonly auth: { readonly token: string; readonly token_id: string; readonly token_name: string };
  readonly profile: { readonly username: string; readonly tenant_slug: string; readonly tenant_display_name: string };
};

/** The configuration file, empty when there is none, wherever its place was named. Throws `UsageError`. */
export async function readSaved(io: Io): Promise<ConfigFile> {
  const path = findConfigPath(io);
  try {
    return await readConfig(io, path);
  } catch (error) {
    if (error instanceof UsageError && error.cause === 'ENOENT') return {};
    throw error;
  }
}

/** Saves a login, or only the registry after a logout. Only the owner may read the file. Throws `UsageError`. */
export async function saveConfig(io: Io, content: SavedLogin | { readonly registry?: string }): Promise<string> {
  const path = findConfigPath(io);
  await ofFile(path, io.files.writePrivate(path, stringify(content)));
  return path;
}

function findGivenRegistry(io: Io, option: string | undefined): { text: string; source: string } | undefined {
  if (option !== undefined) return { text: option, source: '--registry' };
  return findVariable(io, 'registry');
}

function assertTokenForm(token: string): string {
  if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(token)) {
    throw new UsageError('the token contains an invalid character, such as a space or a line break; copy it again');
  }
  return token;
}

async function readConfig(io: Io, path: string): Promise<ConfigFile> {
  let mode: number | undefined;
  let content: Uint8Array;
  try {
    mode = await io.files.mode(path);
    if (mode !== undefined && (mode & 0o077) !== 0) {
      throw new UsageError(`${path} contains a token and other users can read it: run chmod 600 ${path}`);
    }
    content = await io.files.read(path);
  } catch (error) {
    // Without SERVICE_CONFIG the file is optional; what is then missing is named by the caller.
    if (findErrorCode(error) === 'ENOENT' && findVariable(io, 'config') === undefined) return {};
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path}: ${describeFileError(error)}`, { cause: findErrorCode(error) });
  }
  return parseConfig(new TextDecoder().decode(content), path);
}

function parseConfig(content: string, path: string): ConfigFile {
  let value: unknown;
  try {
    // Every scalar is a string here; the parser's errors quote the lines that they are about, so they end here.
    value = parse(content, { schema: 'failsafe', logLevel: 'silent' });
  } catch {
    throw new UsageError(`${path} is not valid YAML`);
  }
  const read = readWith(configFile, value ?? {});
  if ('fault' in read) {
    throw new UsageError(
      `${path} must hold registry, auth {token, token_id, token_name} and profile {username, tenant_slug, tenant_display_name}, ` +
        `all text: ${read.fault}`,
    );
  }
  return read.value;
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value;
}
