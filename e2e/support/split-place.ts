import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readToken, runOperatorCommand } from './service-process.ts';

/** A running split installation, as far as one who makes workspaces in it needs to know it. */
export type SplitPlace = {
  /** The address of its proxy. */
  readonly url: string;
  /** Superuser's URL of the database. */
  readonly databaseUrl: string;
  /** The settings of all its processes. */
  readonly environment: Readonly<Record<string, string>>;
};

/** The variable that names the split installation of a test run, as JSON. */
export const splitVariable = 'E2E_SPLIT_PLACE';

/** The installation that all files of this run share, if there is one. */
export function findSplitPlace(): SplitPlace | undefined {
  const { [splitVariable]: text } = process.env;
  return text === undefined ? undefined : (JSON.parse(text) as SplitPlace);
}

/** Makes a workspace with a manager in a folder of its own, or opens the one of a folder again. */
export async function openSplitWorkspace(
  { environment }: SplitPlace,
  folder?: string,
): Promise<{ readonly dataDir: string; readonly managerToken: string }> {
  if (folder !== undefined) return { dataDir: folder, managerToken: await readToken(folder) };
  const dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-workspace-'));
  const slug = `w-${randomBytes(6).toString('hex')}`;
  const named = ['--slug', slug, '--name', 'Demo', '--manager', 'manager', '--config', join(dataDir, 'config.yaml')];
  const { code, stderr } = await runOperatorCommand(['workspace-create', ...named], {
    dataDir: environment['SERVICE_DATA_DIR'] ?? '',
    environment,
  });
  if (code !== 0) throw new Error(`the workspace cannot be made: ${stderr}`);
  return { dataDir, managerToken: await readToken(dataDir) };
}
