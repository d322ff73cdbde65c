import type { SettingsValues } from '@answer-evidence/contracts';
import type { Stage } from '@answer-evidence/routes';
import { type CallRoute, createRouteCaller } from './call-route.ts';
import { createFakeWorkspace, type FakeWorkspace } from './fake-workspace.ts';

/** A stage on a workspace in memory, with the function that calls its routes. */
export type FakeStage = FakeWorkspace & { readonly call: CallRoute };

/** Puts a stage on a fresh workspace in memory; nothing is shared with another, and nothing needs closing. */
export function createFakeStage(
  createStage: (deps: FakeWorkspace) => Stage,
  settings: Partial<SettingsValues> = {},
): FakeStage {
  const workspace = createFakeWorkspace(settings);
  return { ...workspace, call: createRouteCaller(createStage(workspace).routes) };
}
