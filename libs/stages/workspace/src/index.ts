export type { HostWorkspace, WorkspaceDeps } from './deps.ts';
export { createLoginThrottle } from './login/login-throttle.ts';
export { issuePasswordLink } from './members/issue-password-link.ts';
export { describeHostRoute } from './routes/describe-host/handler.ts';
export { createWorkspaceStage } from './stage.ts';
export { issueUserToken } from './tokens/issue-token.ts';
export { admitBrowser } from './console/admit-browser.ts';
export type { ConsoleDeps, ConsoleFiles, SignInProvider } from './console/deps.ts';
export { createConsoleStage } from './console/stage.ts';
