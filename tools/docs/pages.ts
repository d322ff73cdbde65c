import { PROBLEM_ADVICE, PROBLEM_CODES, PROBLEM_TABLE } from '@answer-evidence/contracts';
import { FOLLOWED_SECRETS, SECRET_SETTINGS, SETTINGS } from '@answer-evidence/runtime';
import { createDashboards } from '../observability/dashboards.ts';
import { createProxyFiles } from '../proxy/generated-files.ts';
import { formatConfiguration } from './format-configuration.ts';
import { formatErrorCodes } from './format-error-codes.ts';
import { formatFrameworks } from './format-frameworks.ts';
import { formatMapping } from './format-mapping.ts';

/** Every generated page and file by its path in the repository, before it is laid out. */
export function createPages(): Readonly<Record<string, string>> {
  return {
    'docs/configuration.md': formatConfiguration(SETTINGS, SECRET_SETTINGS, FOLLOWED_SECRETS),
    'docs/error-codes.md': formatErrorCodes(
      PROBLEM_CODES.map((code) => ({ code, ...PROBLEM_TABLE[code], advice: PROBLEM_ADVICE[code] })),
    ),
    'docs/otlp-frameworks.md': formatFrameworks(),
    ...createProxyFiles(),
    ...createDashboards(),
  };
}

/** A part of a page that people write: what stands between `<!-- name: begin -->` and `<!-- name: end -->`. */
export type Section = { readonly path: string; readonly name: string; readonly text: string };

/** Every generated part of a page. */
export function createSections(): readonly Section[] {
  return [{ path: 'docs/otlp.md', name: 'mapping', text: formatMapping() }];
}
