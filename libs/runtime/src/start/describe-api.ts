import { describeApi as describe } from '@answer-evidence/http-edge';
import { baseUrlOf } from '../ground/addresses.ts';
import { type Config, parseConfig } from '../ground/config.ts';
import { API_INTRODUCTION } from './api-introduction.ts';
import { describeRoutes } from './stages/open-stages.ts';

/** What the description of the API says of a service as a whole, and all that it describes. */
export function apiInfoOf(config: Config) {
  return {
    title: 'Answer Evidence Service',
    description: API_INTRODUCTION,
    serverUrl: baseUrlOf(config),
    routes: describeRoutes(config),
  };
}

/** The description of the API, as a service on its defaults gives it: OpenAPI as JSON. */
export function describeApi(): string {
  return describe(apiInfoOf(parseConfig({})));
}
