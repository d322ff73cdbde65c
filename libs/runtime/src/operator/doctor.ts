import { parseArgs } from 'node:util';
import type { Finding } from '@answer-evidence/ports';
import { StartError } from '../ground/start-error.ts';
import { inspectIdentityProvider } from '../surroundings/inspect-identity-provider.ts';
import { inspectInstallation } from '../surroundings/inspect-installation.ts';
import type { OperatorCommand } from './command.ts';

/** The services of the split form. */
const PROCESSES_SPLIT = 5;
const PROCESSES_MAX = 1_000;

/** Looks at everything around an installation, and prints a line for each check. */
export const doctorCommand: OperatorCommand = {
  name: 'doctor',
  usage: 'npm run operator -- doctor [--processes N] [--oidc] [--json]',
  purpose:
    'Checks the database, Redis, the object store, the keys and the folders of the settings, also while the service ' +
    'runs. N is the number of processes that the connections must suffice for: 1, or 5 with REDIS_URL. With --oidc, ' +
    'it looks at the OpenID provider alone.',
  parse(args) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        processes: { type: 'string' },
        json: { type: 'boolean', default: false },
        oidc: { type: 'boolean', default: false },
      },
    });
    const given = values.processes === undefined ? undefined : Number(values.processes);
    if (given !== undefined && !(Number.isInteger(given) && given >= 1 && given <= PROCESSES_MAX))
      throw new StartError(`--processes must be a number from 1 to ${PROCESSES_MAX}`);
    return async ({ config, print }) => {
      const processes = given ?? (config.REDIS_URL === undefined ? 1 : PROCESSES_SPLIT);
      const findings = values.oidc
        ? await inspectIdentityProvider(config)
        : await inspectInstallation(config, processes);
      for (const finding of findings) print(values.json ? JSON.stringify(finding) : formatFinding(finding));
      if (!values.json) print(formatSum(findings));
      return findings.some(({ outcome }) => outcome === 'FAIL') ? 1 : 0;
    };
  },
};

function formatFinding({ name, outcome, text }: Finding): string {
  return `${outcome} ${name}: ${text}`;
}

function formatSum(findings: readonly Finding[]): string {
  const count = (wanted: Finding['outcome']) => findings.filter(({ outcome }) => outcome === wanted).length;
  return `${count('PASS')} passed, ${count('WARN')} warnings, ${count('FAIL')} failed, ${count('SKIP')} skipped`;
}
