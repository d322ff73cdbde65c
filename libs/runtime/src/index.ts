export { parseConfig, SETTINGS, type Config } from './start/config.ts';
export type { StageName } from './ground/stage-names.ts';
export { describeStage } from './start/stages/open-stages.ts';
export { SECRET_USES } from './start/secret-uses.ts';
export { openService, type RunningService, type ServiceOptions } from './start/start-service.ts';
export { StartError } from './start/start-error.ts';
