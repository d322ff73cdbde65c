import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SplitRole } from '../proxy/routing-table.ts';
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

/** The split installation of a test run: also where each process is reached without the proxy. */
export type SharedSplitPlace = SplitPlace & {
  readonly addresses: Readonly<Record<SplitRole, string>>;
  readonly metricsUrls: Readonly<Record<SplitRole, string>>;
  /** Of the OTLP ingester. */
  readonly grpcPort: number;
};

/** A path of each process of the split form, which a manager may read. */
export const PATH_OF_EACH_PROCESS = [
  '/api/whoami',
  '/api/evidence-assets',
  '/api/trust/checkpoints',
  '/api/reconciliations/runs',
  '/api/answer-audit-logs/otel/unattached',
];

/** The variable that names the split installation of a test run, as JSON. */
export const splitVariable = 'E2E_SPLIT_PLACE';

/** The installation that all files of this run share, if there is one. */
export function findSplitPlace(): SharedSplitPlace | undefined {
  const { [splitVariable]: text } = process.env;
  return text === undefined ? undefined : (JSON.parse(text) as SharedSplitPlace);
}

/** A workspace of the shared installation; the folder has the configuration of its manager's command line. */
type SplitWorkspace = { readonly dataDir: string; readonly managerToken: string; readonly slug: string };

const SLUG_FILE = 'workspace-slug';

/** Makes a workspace with a manager in a folder of its own, or opens the one of a folder again. */
export async function openSplitWorkspace({ environment }: SplitPlace, folder?: string): Promise<SplitWorkspace> {
  if (folder !== undefined) {
    const slug = await readFile(join(folder, SLUG_FILE), 'utf8');
    return { dataDir: folder, managerToken: await readToken(folder), slug };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-workspace-'));
  const slug = `w-${randomBytes(6).toString('hex')}`;
  const named = ['--slug', slug, '--name', 'Demo', '--manager', 'manager', '--config', join(dataDir, 'config.yaml')];
  const { code, stderr } = await runOperatorCommand(['workspace-create', ...named], {
    dataDir: environment['SERVICE_DATA_DIR'] ?? '',
    environment,
  });
  if (code !== 0) throw new Error(`the workspace cannot be made: ${stderr}`);
  await writeFile(join(dataDir, SLUG_FILE), slug);
  return { dataDir, managerToken: await readToken(dataDir), slug };
}
