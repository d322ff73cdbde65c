export type { HostWorkspace, WorkspaceParts } from './parts.ts';
export { issuePasswordLink } from './members/issue-password-link.ts';
export { createWorkspaceStage } from './stage.ts';
export { issueUserToken } from './tokens/issue-token.ts';
