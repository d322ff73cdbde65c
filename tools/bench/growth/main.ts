import '../../help/before-run.ts';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { closingAll } from '../closing-all.ts';
import { describeMachine } from '../machine/describe-machine.ts';
import { findPrograms } from '../machine/find-programs.ts';
import { openService } from '../service/open-service.ts';
import type { GrowthFigures, LogPoint, WorkspacesPoint } from './growth-figures.ts';
import { measureLog } from './measure-log.ts';
import { measureWorkspaces, type Tenants } from './measure-workspaces.ts';
import { openLoader } from './open-loader.ts';

const USAGE =
  'usage: npm run bench -- growth [--leaves 10000,100000] [--workspaces 1,100] [--seconds 10] [--hold 600] [--load TEXT] [--json FILE]';

const { values } = parseArgs({
  options: {
    leaves: { type: 'string', default: '10000,100000,1000000' },
    workspaces: { type: 'string', default: '1,100,10000' },
    seconds: { type: 'string', default: '10' },
    hold: { type: 'string', default: '600' },
    load: { type: 'string', default: 'not said' },
    json: { type: 'string' },
  },
});

function parseNumbers(text: string): readonly number[] {
  const numbers = text === '' ? [] : text.split(',').map((part) => (/^[1-9]\d*$/.test(part) ? Number(part) : NaN));
  if (numbers.some((one) => Number.isNaN(one))) throw new Error(USAGE);
  return numbers.toSorted((a, b) => a - b);
}

const [seconds = 10] = parseNumbers(values.seconds);
const [hold = 600] = parseNumbers(values.hold);
const progress = (line: string) => void process.stderr.write(`${line}\n`);

/** After each measurement: hours of them should not be lost with the last one. */
async function keep(figures: GrowthFigures): Promise<void> {
  if (values.json !== undefined) await writeFile(values.json, formatFigures(figures));
}

function formatFigures(figures: GrowthFigures): string {
  return `${JSON.stringify(figures, null, 2)}\n`;
}

const figures = await closingAll(async (opened): Promise<GrowthFigures> => {
  const { wrk } = findPrograms(process.env['PATH'] ?? '');
  const service = await openService();
  opened.push(() => service.close());
  const loader = await openLoader(service);
  opened.push(() => loader.close());
  const place = { wrk, service, loader, seconds, progress };
  const { cores, cpu, node, onDisk, postgres } = await describeMachine(service.dataDir, service.postgres);
  const disk = onDisk ? 'on disk' : 'in memory';
  const machine = `${cores} cores of ${cpu}; Node ${node}; PostgreSQL ${postgres}, ${disk}`;
  const log: LogPoint[] = [];
  const workspaces: WorkspacesPoint[] = [];
  const measured: GrowthFigures = { machine, load: values.load, log, workspaces };
  for (const leaves of parseNumbers(values.leaves)) {
    log.push(await measureLog(place, leaves));
    await keep(measured);
  }
  const tenants: Tenants = { senders: [] };
  const counts = parseNumbers(values.workspaces);
  for (const [n, count] of counts.entries()) {
    // The last one, of most workspaces, is watched for longer.
    workspaces.push(await measureWorkspaces(place, tenants, count, n === counts.length - 1 ? hold : seconds));
    await keep(measured);
  }
  return measured;
});

if (values.json === undefined) process.stdout.write(formatFigures(figures));
