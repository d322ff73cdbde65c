import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { hidesCharacters, isVisible, slug as slugForm, username } from '@answer-evidence/contracts';
import { SlugTakenError } from '@answer-evidence/postgres';
import { baseUrlOf } from '../ground/addresses.ts';
import { StartError } from '../ground/start-error.ts';
import { createWorkspaceWithManager, TokenNotWrittenError } from '../open/first-workspace.ts';
import type { Stores } from '../open/open-stores.ts';
import { type Operation, type OperatorCommand, UsageError } from './command.ts';
import { withStores } from './with-stores.ts';

/** A line that people and programs can show whole. */
const DISPLAY_NAME = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,200}$/u;

type Options = { readonly slug: string; readonly name: string; readonly manager: string; readonly file: string };

/** Makes a workspace with its manager, whose token goes into a new file. */
export const createWorkspaceCommand: OperatorCommand = {
  name: 'workspace-create',
  usage: 'npm run operator -- workspace-create --slug SLUG --name "Display name" --manager USERNAME --config FILE',
  purpose: "Creates a workspace and its manager, and writes the manager's token to a new file.",
  parse(args) {
    const option = { type: 'string' } as const;
    const { values } = parseArgs({
      args: [...args],
      options: { slug: option, name: option, manager: option, config: option },
    });
    const { slug, name, manager, config: file } = values;
    if (!isGiven(slug) || !isGiven(name) || !isGiven(manager) || !isGiven(file)) throw new UsageError();
    if (!slugForm.safeParse(slug).success)
      throw new StartError('a slug must be 1 to 63 characters of a-z, 0-9 and "-", without "-" at either end');
    if (!DISPLAY_NAME.test(name)) throw new StartError('a display name must be 1 to 200 characters in one line');
    if (hidesCharacters(name) || !isVisible(name))
      throw new StartError('a display name must show something, and have no invisible or bidirectional characters');
    // As `POST /api/members` asks: a name is for ever, and one in capitals would look like another's.
    const [fault] = username.safeParse(manager).error?.issues ?? [];
    if (fault !== undefined) throw new StartError(`--manager ${fault.message}`);
    return (operation) =>
      withStores(operation, (stores) => createTenant(stores, { slug, name, manager, file }, operation));
  },
};

function isGiven(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}

async function createTenant(stores: Stores, options: Options, { config, print }: Operation): Promise<number> {
  const { slug, name, manager, file } = options;
  await assertNewFile(file);
  try {
    await createWorkspaceWithManager(stores, baseUrlOf(config), { slug, displayName: name, username: manager }, file);
  } catch (error) {
    if (error instanceof SlugTakenError) throw new StartError(error.message, { cause: error });
    throw (await explainHalfMade(stores, options, error)) ?? error;
  }
  print(
    `created the workspace "${slug}" and its manager "${manager}"; their token is in ${file} (export SERVICE_CONFIG=${file})`,
  );
  return 0;
}

/** What to do about a workspace that is there, where its manager's token or the file of it could not be made. */
async function explainHalfMade(stores: Stores, { slug, manager, file }: Options, cause: unknown) {
  const made = await stores.directory.findBySlug(slug).catch(() => undefined);
  if (made === undefined) return undefined;
  const reason = cause instanceof TokenNotWrittenError ? cause.cause : cause;
  const code = reason instanceof Error && 'code' in reason ? ` (${String(reason.code)})` : '';
  const state = cause instanceof TokenNotWrittenError && cause.isRevoked ? ' and is revoked' : '';
  return new StartError(
    `created the workspace "${slug}" and its manager "${manager}", but their token is not in ${file}${code}${state}. ` +
      `Do not create it again: run npm run operator -- member-password-link --workspace ${slug} --username ${manager}, and ` +
      'sign in with the password',
    { cause },
  );
}

/** Asked before the workspace is made: its manager's token is shown in this file and never again. */
async function assertNewFile(file: string): Promise<void> {
  if (existsSync(file)) throw new StartError(`${file} already exists and may contain another token; choose a new file`);
  try {
    await access(dirname(file), constants.W_OK);
  } catch {
    throw new StartError(
      `cannot create a file in ${dirname(file)}; set --config to a path in an existing, writable folder`,
    );
  }
}
