import { setTimeout } from 'node:timers/promises';
import { until } from '../scenery/service-process.ts';
import { openScene, type Scene, type SceneOptions } from './scene.ts';
import { type Language, MARKED, type Sender, startSender } from './senders.ts';

/** A load, what it goes through, and how often everything of that is killed. */
export type Case = SceneOptions & { readonly language: Language; readonly rounds: number };

/** What a case came to. */
export type Outcome = {
  readonly kills: number;
  /** Answers that were acknowledged. */
  readonly acknowledged: number;
  readonly lost: number;
  /** Records beyond one for each acknowledged answer. */
  readonly surplus: number;
  readonly ledgerCheck: string;
  readonly failures: Sender['failures'];
};

const PAUSE_MAX_MS = 2_000;
const RECOVERED_MS = 180_000;
const DRAINED_MS = 600_000;
const SURPLUS_MS = 5_000;

/** Runs a case on a service and a PostgreSQL of its own. */
export async function runCase(one: Case, say: (line: string) => void): Promise<Outcome> {
  const scene = await openScene(one);
  const sender = startSender(one.language, { ...scene, protocol: one.protocol });
  try {
    const kills = await strikeAll(scene, sender, one.rounds, say);
    await sender.finish();
    const expected = keysOf(sender.acknowledged);
    // What is lost never comes; the comparison tells.
    await until('all records', async () => (await scene.countRecords()) >= expected.size, DRAINED_MS).catch(
      () => undefined,
    );
    await setTimeout(SURPLUS_MS);
    // The last kill was of the service or of what it needs.
    await until('a service that reads', () => canRead(scene), RECOVERED_MS);
    return { kills, failures: sender.failures, ...(await compare(scene, expected)) };
  } finally {
    sender.kill();
    await scene.close();
  }
}

/** Kills everything in turn, as often as there are rounds, each while records are made; how many kills that were. */
async function strikeAll(scene: Scene, sender: Sender, rounds: number, say: (line: string) => void): Promise<number> {
  async function goesOn(records: number): Promise<void> {
    const batches = sender.acknowledged.size;
    const more = async () => sender.acknowledged.size >= batches + 2 && (await scene.countRecords()) > records;
    await Promise.race([until('more records', more, RECOVERED_MS), diedEarly(sender)]);
  }
  await goesOn(0);
  let kills = 0;
  for (let round = 1; round <= rounds; round++)
    for (const [victim, strike] of Object.entries(scene.strokes)) {
      await setTimeout(Math.random() * PAUSE_MAX_MS);
      const records = await scene.countRecords();
      await strike();
      kills += 1;
      await goesOn(records);
      say(`round ${round}: killed ${victim}; ${sender.acknowledged.size} batches acknowledged`);
    }
  return kills;
}

async function diedEarly({ ended }: Sender): Promise<never> {
  await ended;
  throw new Error('the program that exports ended before it was told to');
}

async function canRead({ client }: Scene): Promise<boolean> {
  try {
    await client.records.list({}, { size: 1 });
    return true;
  } catch {
    return false;
  }
}

async function compare({ client }: Scene, expected: ReadonlySet<string>) {
  const keys: string[] = [];
  for await (const { idempotency_key: key } of client.records.listAll({}, 200)) keys.push(key ?? '');
  const there = new Set(keys);
  const kept = [...expected].filter((key) => there.has(key)).length;
  const { outcome } = await client.trust.checkLedger();
  return {
    acknowledged: expected.size,
    lost: expected.size - kept,
    surplus: keys.length - kept,
    ledgerCheck: outcome,
  };
}

/** The keys of all marked answers, and of each agent whose root was acknowledged, too. */
function keysOf(batches: ReadonlySet<number>): ReadonlySet<string> {
  const hex = (n: number) => n.toString(16).padStart(16, '0');
  return new Set(
    [...batches].flatMap((n) => [
      ...Array.from({ length: MARKED }, (_, m) => `answer-${n}-${m}`),
      ...(n > 0 ? [`otlp:${hex(n - 1)}${hex(1)}:${hex(1)}`] : []),
    ]),
  );
}
