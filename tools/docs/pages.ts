import { readFileSync } from 'node:fs';
import { PROBLEM_ADVICE, PROBLEM_CODES, PROBLEM_TABLE } from '@answer-evidence/contracts';
import type { Operation } from '@answer-evidence/contracts/operations';
import * as operations from '@answer-evidence/contracts/operations';
import { SECRET_USES, SETTINGS } from '@answer-evidence/runtime';
import { formatPlot } from '../bench/growth/format-plot.ts';
import { growthFigures } from '../bench/growth/growth-figures.ts';
import { createDashboards } from '../observability/dashboards.ts';
import { createProxyFiles } from '../proxy/generated-files.ts';
import { readSbom } from '../supply-chain/read-sbom.ts';
import { formatConfiguration } from './format-configuration.ts';
import { formatErrorCodes } from './format-error-codes.ts';
import { formatFrameworks } from './format-frameworks.ts';
import { formatMapping } from './format-mapping.ts';
import { formatRoles } from './format-roles.ts';
import { formatThirdParty } from './format-third-party.ts';

/** What `npm run bench -- growth` measured. */
const GROWTH = new URL('../../docs/performance/growth.json', import.meta.url);

/** Every generated page and file by its path in the repository, before it is laid out. */
export function createPages(): Readonly<Record<string, string>> {
  return {
    'docs/configuration.md': formatConfiguration(SETTINGS, SECRET_USES),
    'docs/error-codes.md': formatErrorCodes(
      PROBLEM_CODES.map((code) => ({ code, ...PROBLEM_TABLE[code], advice: PROBLEM_ADVICE[code] })),
    ),
    'docs/otlp-frameworks.md': formatFrameworks(),
    'docs/otlp-mapping.md': formatMapping(),
    'docs/performance/growth.svg': formatPlot(growthFigures.parse(JSON.parse(readFileSync(GROWTH, 'utf8')))),
    'docs/roles.md': formatRoles(
      (Object.values(operations) as readonly unknown[]).filter(
        (one): one is Operation => typeof one === 'object' && one !== null && 'operationId' in one,
      ),
    ),
    'docs/third-party.md': formatThirdParty(readSbom()),
    ...createProxyFiles(),
    ...createDashboards(),
  };
}
