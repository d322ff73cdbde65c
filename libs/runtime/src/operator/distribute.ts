import { parseArgs } from 'node:util';
import {
  checkDistribution,
  distribute,
  type DistributionPlan,
  type DistributionStep,
  migrate,
  moveWorkspace,
} from '@answer-evidence/postgres';
import { StartError } from '../ground/start-error.ts';
import { joinDatabase } from '../open/open-database.ts';
import { type Operation, type OperatorCommand, UsageError } from './command.ts';

const SHARDS = 32;
const SHARDS_MAX = 1_024;

/** Spreads the workspaces of the database over the nodes of Citus. */
export const distributeCommand: OperatorCommand = {
  name: 'distribute',
  usage: `npm run distribute -- [--check] [--shards ${SHARDS}] | move SLUG HOST:PORT`,
  purpose:
    'Spreads the workspaces over the nodes of Citus; with --check, says what it would do and what stands in the way; with move, moves one.',
  parse(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { check: { type: 'boolean' }, shards: { type: 'string', default: String(SHARDS) } },
    });
    const shards = Number(values.shards);
    if (!Number.isInteger(shards) || shards < 1 || shards > SHARDS_MAX) throw new UsageError();
    if (positionals.length === 0)
      return (operation) =>
        withDatabase(operation, (url) =>
          values.check === true ? check(url, operation.print) : spread(url, shards, operation.print),
        );
    const [word, slug, node, ...more] = positionals;
    if (word !== 'move' || slug === undefined || node === undefined || more.length > 0 || args.length > 3)
      throw new UsageError();
    return (operation) => withDatabase(operation, (url) => move(url, slug, node, operation.print));
  },
};

async function withDatabase({ config, report }: Operation, run: (url: string) => Promise<number>): Promise<number> {
  if (config.DATABASE_URL === undefined)
    throw new StartError(
      'the embedded PostgreSQL has one node; set DATABASE_URL to the coordinator of Citus, with the data of a backup',
    );
  const database = await joinDatabase(config, report);
  try {
    return await run(database.url);
  } finally {
    await database.close();
  }
}

async function check(url: string, print: Operation['print']): Promise<number> {
  const plan = await checkDistribution(url);
  printObstacles(plan, print);
  for (const step of plan.steps) print(`would ${describe(step)}`);
  if (plan.obstacles.length === 0 && plan.steps.length === 0) print(describeDone(plan));
  return plan.obstacles.length === 0 ? 0 : 1;
}

async function spread(url: string, shards: number, print: Operation['print']): Promise<number> {
  await migrate(url, () => print('another process migrates the database; waiting for it'));
  let taken = 0;
  const { steps } = await checkDistribution(url);
  const plan = await distribute(url, {
    shards,
    onStep: (step) => print(`${++taken} of ${steps.length}: ${describe(step)}`),
  });
  printObstacles(plan, print);
  if (plan.obstacles.length > 0) return 1;
  print(describeDone(plan));
  return 0;
}

async function move(url: string, slug: string, node: string, print: Operation['print']): Promise<number> {
  const moved = await moveWorkspace(url, slug, node);
  switch (moved.kind) {
    case 'no-workspace':
      print(`no workspace is named "${slug}"`);
      return 1;
    case 'not-spread':
      print('the workspaces are on one server; run npm run distribute first');
      return 1;
    case 'no-node':
      print(`no node is named "${node}"; there are ${moved.nodes.join(', ')}`);
      return 1;
    case 'there':
      print(`the workspace "${slug}" is on ${moved.node} already`);
      return 0;
    case 'moved': {
      const others = moved.slugs.filter((one) => one !== slug);
      print(
        `moved "${slug}" from ${moved.from} to ${moved.node}; its writes waited ${Math.round(moved.pauseMs)} ms at most`,
      );
      if (others.length > 0) print(`moved with it, of the same part of the tables: ${others.join(', ')}`);
      for (const remains of moved.remains) print(`still on ${moved.from}: ${remains}`);
      return moved.remains.length === 0 ? 0 : 1;
    }
  }
}

function printObstacles({ obstacles }: DistributionPlan, print: Operation['print']): void {
  for (const obstacle of obstacles) print(`in the way: ${obstacle}`);
}

function describeDone({ nodes }: DistributionPlan): string {
  return `the workspaces are spread over ${nodes.length} nodes: ${nodes.join(', ')}`;
}

function describe(step: DistributionStep): string {
  switch (step.kind) {
    case 'copy-to-every-node':
      return `copy ${step.table} to every node`;
    case 'spread':
      return `spread ${step.table} over the nodes`;
    case 'make-known':
      return `have transactions with ${step.table} committed in two phases`;
    case 'empty-local-copies':
      return 'empty what the coordinator still has of these tables';
    case 'send-function':
      return `send ${step.signature} to the nodes`;
  }
}
