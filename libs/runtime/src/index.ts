export { parseConfig, SETTINGS, type Config } from './ground/config.ts';
export type { StageName } from './ground/stage-names.ts';
export { describeStage } from './start/stages/open-stages.ts';
export { SECRET_USES } from './start/secret-uses.ts';
export { openService, type RunningService, type ServiceOptions } from './start/start-service.ts';
export { StartError } from './ground/start-error.ts';
