export type { HostWorkspace, WorkspaceDeps } from './deps.ts';
export { createLoginThrottle } from './login/login-throttle.ts';
export { issuePasswordLink } from './members/issue-password-link.ts';
export { createWorkspaceStage } from './stage.ts';
export { issueUserToken } from './tokens/issue-token.ts';
