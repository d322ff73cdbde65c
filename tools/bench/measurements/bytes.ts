import pg from 'pg';
import { listStoredWorkspaces } from '@answer-evidence/postgres';
import { closingAll } from '../closing-all.ts';
import { openLoader } from '../growth/open-loader.ts';
import { openService } from '../service/open-service.ts';

/** Creates before, so that what every table begins with is not counted. */
const WARM_UP = 2_000;
const RECORDS = 20_000;

/** What is told of each table and index, and of their files for long values. */
const FIGURES = ['disk', 'log', 'entries', 'images'] as const;
type Usage = { readonly name: string } & { readonly [Figure in (typeof FIGURES)[number]]: number };

const SIZES = `select relname as name, pg_relation_size(c.oid)::float8 as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('answer_evidence', 'answer_evidence_parts', 'pg_toast') and relkind in ('r', 'i', 't')`;

/** What of the log between two places is about which file: an entry counts for the first one that it is about. */
const LOGGED = `select c.relname as name, count(*)::float8 as entries,
    sum(b.record_length - b.images)::float8 as log, sum(b.images)::float8 as images
  from (select distinct on (start_lsn) relfilenode, record_length,
      sum(coalesce(block_fpi_length, 0)) over (partition by start_lsn) as images
    from pg_get_wal_block_info($1, $2, false) order by start_lsn, block_id) b
  join pg_class c on pg_relation_filenode(c.oid) = b.relfilenode group by 1`;

/** What a create of 1 KB, one of many at once, adds to each table and index, and to the write-ahead log; a table. */
export async function measureBytes(progress: (line: string) => void): Promise<string> {
  return closingAll(async (opened) => {
    const service = await openService();
    opened.push(() => service.close());
    const loader = await openLoader(service);
    opened.push(() => loader.close());
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    opened.push(() => client.end());
    await client.query('create extension if not exists pg_walinspect');
    const [stored] = await listStoredWorkspaces(loader.stores.pool, loader.stores.vault);
    if (stored === undefined) throw new Error('the service has a workspace');
    const workspace = stored.open();

    await loader.append(workspace, WARM_UP, () => undefined);
    // The first write to a page after a checkpoint logs the whole page. That is what checkpoints cost, and not creates.
    await client.query('checkpoint');
    progress(`${RECORDS} creates`);
    const before = await readState(client);
    await loader.append(workspace, RECORDS, () => undefined);
    const after = await readState(client);
    return formatUsages(await readUsages(client, before, after));
  });
}

type State = { readonly place: string; readonly sizes: ReadonlyMap<string, number> };

async function readState(client: pg.Client): Promise<State> {
  const { rows: sizes } = await client.query<{ name: string; bytes: number }>(SIZES);
  const { rows } = await client.query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn');
  return { place: rows[0]?.lsn ?? '', sizes: new Map(sizes.map(({ name, bytes }) => [name, bytes])) };
}

async function readUsages(client: pg.Client, before: State, after: State): Promise<readonly Usage[]> {
  const places = [before.place, after.place];
  const { rows: logged } = await client.query<Omit<Usage, 'disk'>>(LOGGED, places);
  const { rows } = await client.query<{ bytes: number }>('select pg_wal_lsn_diff($2, $1)::float8 as bytes', places);
  const usages = [...after.sizes].map(([name, bytes]): Usage => {
    const { entries = 0, images = 0, log = 0 } = logged.find((one) => one.name === name) ?? {};
    return { name, disk: bytes - (before.sizes.get(name) ?? 0), log, entries, images };
  });
  const known = usages.reduce((sum, { images, log }) => sum + log + images, 0);
  return [
    ...usages,
    { name: 'commits, and what is about no file', disk: 0, log: (rows[0]?.bytes ?? 0) - known, entries: 0, images: 0 },
  ];
}

/** Per create, the largest first; without those of less than half a byte. */
function formatUsages(usages: readonly Usage[]): string {
  const line = (usage: Usage) => {
    const figures = FIGURES.map((figure) => (usage[figure] / RECORDS).toFixed(figure === 'entries' ? 2 : 0));
    return `| ${[usage.name, ...figures].join(' | ')} |`;
  };
  const sum = (figure: (typeof FIGURES)[number]) => usages.reduce((total, usage) => total + usage[figure], 0);
  const all: Usage = {
    name: 'in all',
    disk: sum('disk'),
    log: sum('log'),
    entries: sum('entries'),
    images: sum('images'),
  };
  return [
    '| of each create | bytes on disk | bytes of log | entries of log | bytes of whole pages in the log |',
    '| --- | --- | --- | --- | --- |',
    ...[all, ...usages]
      .filter(({ disk, images, log }) => disk + log + images >= RECORDS / 2)
      .toSorted((a, b) => b.disk + b.log - a.disk - a.log)
      .map(line),
  ].join('\n');
}
