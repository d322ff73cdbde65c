import type { Command } from 'commander';
import { ApiError, type Client, createClient } from '@answer-evidence/client';
import type { LoginReply } from '@answer-evidence/contracts';
import { readSaved, resolveRegistry, saveConfig, type SavedLogin } from '../config.ts';
import { assertWorkspaceApi } from '../connect.ts';
import type { Context } from '../context.ts';
import { given, parseTime } from '../options.ts';
import { asFields } from '../output/blocks.ts';
import { createPrompter } from '../prompter.ts';
import { parseRegistry } from '../registry.ts';
import { UsageError } from '../usage-error.ts';
import { loginByDevice } from './login-device.ts';

type LoginOptions = {
  readonly device?: boolean;
  readonly username?: string;
  readonly workspace?: string;
  readonly tokenName?: string;
  readonly expiresIn?: string;
};

/** `login` and `logout`. */
export function addLoginCommands(program: Command, context: Context): void {
  program
    .command('login')
    .description('sign in with a password (prompted, or from standard input), or in a browser, and save the token')
    .option('--device', 'sign in by a code that you type in a browser, on this or another machine')
    .option('--username <name>', 'user name; default: prompted')
    .option('--workspace <slug>', 'slug of the workspace, if the host serves several')
    .option('--token-name <name>', 'name of the token; default: generated')
    .option('--expires-in <time>', 'lifetime in seconds, or a duration such as 12h or 30d')
    .action((options: LoginOptions) => login(context, options));
  program
    .command('logout')
    .description('revoke the saved token and remove it from the configuration file')
    .action(() => logout(context));
}

async function login(context: Context, options: LoginOptions): Promise<void> {
  const { io } = context;
  const registry = await resolveRegistry(io, context.registry());
  const life =
    options.expiresIn === undefined ? {} : { expires_in_seconds: parseTime('--expires-in', options.expiresIn) };
  const client = await context.connectOpenly(registry);
  const prompter = createPrompter(io);
  const signIn =
    options.device === true
      ? (workspace: string | undefined) =>
          loginByDevice(context, client, {
            client_name: deviceName(options),
            ...given({ workspace, token_name: options.tokenName }),
            ...life,
          })
      : await preparePasswordLogin(context, client, { options, prompter, life });
  const reply = await signIn(options.workspace).catch(async (error: unknown) => {
    if (!prompter.isPerson || !asksForWorkspace(error)) throw error;
    return signIn(await prompter.ask('Workspace'));
  });
  await keepLogin(context, registry, reply);
}

/** What the person is shown of this program. */
function deviceName({ username }: LoginOptions): string {
  if (username !== undefined) throw new UsageError('--username and --device: give one; the person signs in themselves');
  return 'answer-evidence command line';
}

type PasswordLogin = {
  readonly options: LoginOptions;
  readonly prompter: ReturnType<typeof createPrompter>;
  readonly life: { readonly expires_in_seconds?: number };
};

/** Asks for what signs in; how to sign in with it, to any workspace. */
async function preparePasswordLogin(
  context: Context,
  client: Client,
  { life, options, prompter }: PasswordLogin,
): Promise<(workspace: string | undefined) => Promise<LoginReply>> {
  const username = options.username ?? (await prompter.ask('Username'));
  const password = await prompter.ask('Password', 'secret');
  context.keepSecret(password);
  const request = { username, password, ...given({ token_name: options.tokenName }), ...life };
  return (workspace) => client.auth.login({ ...request, ...given({ workspace }) });
}

async function keepLogin(context: Context, registry: string, reply: LoginReply): Promise<void> {
  context.keepSecret(reply.token);
  const saved = savedLogin(reply, await chooseRegistry(context, registry, reply));
  const path = await saveOrRevoke(context, saved);
  context.show({
    json: {
      registry: saved.registry,
      config: path,
      token_id: reply.id,
      token_name: reply.name,
      expires_at: reply.expires_at,
      profile: reply.profile,
    },
    blocks: () =>
      asFields([
        ['signed in as', reply.profile.username],
        ['role', reply.profile.role],
        ['workspace', `${reply.profile.tenant_slug} (${reply.profile.tenant_display_name})`],
        ['registry', saved.registry],
        ['token', reply.name],
        ['expires', reply.expires_at],
        ['saved in', path],
      ]),
  });
  if ((context.io.env['SERVICE_TOKEN'] ?? '') !== '')
    context.note('SERVICE_TOKEN is set and takes precedence over the saved token.');
}

/** Whether the host serves several workspaces and was not told which one. */
function asksForWorkspace(error: unknown): boolean {
  return error instanceof ApiError && error.problem?.errors.some(({ pointer }) => pointer === '/workspace') === true;
}

function savedLogin({ id, name, profile, token }: LoginReply, registry: string): SavedLogin {
  const { username, tenant_slug, tenant_display_name } = profile;
  return {
    registry,
    auth: { token, token_id: id, token_name: name },
    profile: { username, tenant_slug, tenant_display_name },
  };
}

/** The workspace's own host where the service names one that answers as such; else the host that was signed in at. */
async function chooseRegistry(context: Context, used: string, reply: LoginReply): Promise<string> {
  if (reply.base_url === null) return used;
  try {
    const named = parseRegistry(reply.base_url, 'the answer to the login');
    if (named === used) return used;
    const client = createClient({ registry: named, fetch: context.io.fetch, retry: { attemptsMax: 1 } });
    const host = await assertWorkspaceApi(client, named);
    return host.workspace === null || host.workspace.slug === reply.profile.tenant_slug ? named : used;
  } catch {
    context.note(
      `The service reports another address for itself, which does not work from here; saved ${used} instead.`,
    );
    return used;
  }
}

/** A token that could not be saved is of no use: it is revoked before the error is reported. */
async function saveOrRevoke(context: Context, saved: SavedLogin): Promise<string> {
  try {
    return await saveConfig(context.io, saved);
  } catch (error) {
    const { registry, auth } = saved;
    await createClient({ registry, token: auth.token, fetch: context.io.fetch })
      .auth.logout()
      .catch(() =>
        context.note(
          `The token ${auth.token_name} was issued but could not be saved or revoked; ask a manager to revoke it.`,
        ),
      );
    throw error;
  }
}

async function logout(context: Context): Promise<void> {
  const { io } = context;
  const saved = await readSaved(io);
  const { token, token_name: name = null } = saved.auth ?? {};
  if (token === undefined || token === '') throw new UsageError('not signed in: there is no saved token');
  context.keepSecret(token);
  // Where the token was saved for, whatever else is set: no other host is to see it.
  const registry = await resolveRegistry(io, saved.registry ?? context.registry());
  const client = createClient({
    registry,
    token,
    fetch: io.fetch,
    ...(io.wait === undefined ? {} : { wait: io.wait }),
  });
  await assertWorkspaceApi(client, registry);
  try {
    await client.auth.logout();
  } catch (error) {
    // Revoked or expired already, which is what was wanted.
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  }
  const path = await saveConfig(io, saved.registry === undefined ? {} : { registry: saved.registry });
  context.show({
    json: { signed_out: true, token_name: name, config: path },
    blocks: () => asFields([['signed out', name]]),
  });
}
