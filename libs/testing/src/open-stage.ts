import type { SettingsValues } from '@answer-evidence/contracts';
import type { Stage } from '@answer-evidence/routes';
import { type CallRoute, createRouteCaller } from './call-route.ts';
import { openSharedWorkspace, type PostgresWorkspace } from './postgres-workspace.ts';
import { createTestAccounts, type TestAccounts } from './test-accounts.ts';

/** What a stage is made of: a workspace in PostgreSQL, and what accounts need besides. */
export type StageWorkspace = PostgresWorkspace & TestAccounts;

/** A stage on such a workspace, with the function that calls its routes. */
export type StageTest = StageWorkspace & { readonly call: CallRoute };

/** Puts a stage on a workspace of its own. */
export async function openStage(
  createStage: (deps: StageWorkspace) => Stage,
  settings: Partial<SettingsValues> = {},
): Promise<StageTest> {
  const workspace = { ...(await openSharedWorkspace(settings)), ...createTestAccounts() };
  return { ...workspace, call: createRouteCaller(createStage(workspace).routes) };
}
