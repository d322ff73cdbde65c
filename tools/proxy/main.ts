// Prints the configuration of a proxy before several processes of each role: `npm run proxy:instances`.
import '../help/before-run.ts';
import { parseArgs } from 'node:util';
import { formatEnvoy } from './format-envoy.ts';
import { formatCaddy, formatNginx, type Instances } from './format-proxies.ts';
import { parseInstances, UsageError } from './parse-instances.ts';
import { createRoutingTable, ownedPaths } from './routing-table.ts';

const FORMATS = { nginx: formatNginx, caddy: formatCaddy, envoy: formatEnvoy };
const PORT = /^[1-9]\d{0,4}$/;

const USAGE = `usage: npm run --silent proxy:instances -- nginx|caddy|envoy [--by host|token] [--port 8080] ROLE=HOST:PORT,HOST:PORT ...
  One argument for each role that has processes of its own; a role without one is ROLE:8080.`;

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { by: { type: 'string', default: 'token' }, port: { type: 'string', default: '8080' } },
  });
  const [program = '', ...listed] = positionals;
  const { by, port } = values;
  if (!isFormat(program) || !isKey(by) || !PORT.test(port)) throw new UsageError('');
  const of = parseInstances(listed);
  const places = { port: Number(port), addressOf: (role: string) => `${role}:8080`, instances: { by, of } };
  process.stdout.write(FORMATS[program](createRoutingTable(ownedPaths()), places));
} catch (error) {
  if (!(error instanceof UsageError) && !(error instanceof TypeError)) throw error;
  process.stderr.write(`${error.message === '' ? '' : `${error.message}\n`}${USAGE}\n`);
  process.exitCode = 2;
}

function isFormat(text: string): text is keyof typeof FORMATS {
  return Object.hasOwn(FORMATS, text);
}

function isKey(text: string): text is Instances['by'] {
  return text === 'host' || text === 'token';
}
