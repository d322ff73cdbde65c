import type pg from 'pg';
import { queryOnce } from '../session.ts';

/** A question about all workspaces: one statement, with its numbers in it. */
type Question = { readonly name: string; readonly text: string };

/** What the nodes said: the rows of each question, of those that answered. */
type NodeAnswers = ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>;

/** The parts of the tables on one node: for each, the number of the part of each table. */
type NodeParts = { readonly node: string; readonly parts: readonly ReadonlyMap<string, string>[] };

const TABLE = /\banswer_evidence\.([a-z_]+)/g;
/** How often nodes are looked for whose parts have moved. */
const ATTEMPTS = 2;

/**
 * Asks the nodes of Citus by themselves, each about its own parts of the tables. A statement over all of them fails for
 * everybody while one node is unavailable, and Citus plans no joins such as these over several.
 */
export class NodeQuestions {
  /** Nodes that did not answer the last question, as `host:port`. */
  away: readonly string[] = [];
  #nodes: Promise<readonly NodeParts[]> | undefined;

  /** About tables that are on nodes. Throws what the coordinator throws. */
  async ask(pool: pg.Pool, questions: readonly Question[]): Promise<NodeAnswers> {
    if (questions.length === 0) return new Map();
    for (let attempt = 1; ; attempt++) {
      this.#nodes ??= readParts(pool);
      const nodes = await this.#nodes.catch((error: unknown) => {
        this.#nodes = undefined;
        throw error;
      });
      // A database with Citus whose tables nobody has spread.
      if (nodes.length === 0) {
        this.#nodes = undefined;
        return askServer(pool, questions);
      }
      const replies = await askNodes(pool, nodes, questions);
      const away = replies.filter(({ success }) => !success);
      // Parts that have moved are no longer where they were; a node that is unavailable still is at the second look.
      if (away.length === 0 || attempt === ATTEMPTS) {
        this.away = away.map(({ node }) => node);
        return collect(replies, questions);
      }
      this.#nodes = undefined;
    }
  }
}

/** Of a database that has Citus, and all tables on one server. */
async function askServer(pool: pg.Pool, questions: readonly Question[]): Promise<NodeAnswers> {
  const answers = new Map<string, readonly Readonly<Record<string, unknown>>[]>();
  for (const { name, text } of questions) answers.set(name, (await queryOnce(pool, { text })).rows);
  return answers;
}

/** What asks the nodes of the database behind a pool, where it has any. */
export function nodesOf(pool: pg.Pool): NodeQuestions | undefined {
  return 'nodes' in pool && pool.nodes instanceof NodeQuestions ? pool.nodes : undefined;
}

/** The nodes that do not answer, as `host:port`; none of a database that has no nodes. */
export async function findUnavailableNodes(pool: pg.Pool): Promise<readonly string[]> {
  const nodes = nodesOf(pool);
  if (nodes === undefined) return [];
  await nodes.ask(pool, [{ name: 'answers', text: 'select true as answers' }]);
  return nodes.away;
}

type Reply = { readonly node: string; readonly success: boolean; readonly result: string };

async function askNodes(
  pool: pg.Pool,
  nodes: readonly NodeParts[],
  questions: readonly Question[],
): Promise<readonly Reply[]> {
  const places = nodes.map(({ node }) => splitPlace(node));
  const { rows } = await queryOnce<Reply>(pool, {
    text: `select node_name || ':' || node_port as node, success, result
      from master_run_on_worker($1::text[], $2::int[], $3::text[], true)`,
    values: [
      places.map(({ host }) => host),
      places.map(({ port }) => port),
      nodes.map(({ parts }) => textFor(parts, questions)),
    ],
  });
  return rows;
}

function splitPlace(node: string): { readonly host: string; readonly port: number } {
  const at = node.lastIndexOf(':');
  return { host: node.slice(0, at), port: Number(node.slice(at + 1)) };
}

/** One statement with one value: the rows of each question as JSON, over the parts of a node. */
function textFor(parts: readonly ReadonlyMap<string, string>[], questions: readonly Question[]): string {
  const columns = questions.map(({ name, text }) => {
    const each = parts.map(
      (part) => `(${text.replaceAll(TABLE, (whole, table: string) => nameOfPart(whole, part.get(table)))})`,
    );
    return `'${name}', (select coalesce(json_agg(found), '[]') from (${each.join(' union all ')}) found)`;
  });
  return `select json_build_object(${columns.join(', ')})`;
}

function nameOfPart(table: string, shard: string | undefined): string {
  if (shard === undefined) throw new Error(`${table} has no part on the node`);
  return `${table}_${shard}`;
}

function collect(replies: readonly Reply[], questions: readonly Question[]): NodeAnswers {
  const answers = replies.flatMap(({ success, result }) =>
    success ? [JSON.parse(result) as Record<string, readonly Record<string, unknown>[]>] : [],
  );
  return new Map(questions.map(({ name }) => [name, answers.flatMap((answer) => answer[name] ?? [])]));
}

async function readParts(pool: pg.Pool): Promise<readonly NodeParts[]> {
  const { rows } = await queryOnce<{ node: string; part: string; name: string; shard: string }>(pool, {
    text: `select n.nodename || ':' || n.nodeport as node, s.shardminvalue as part, c.relname as name, s.shardid::text as shard
      from pg_dist_shard s join pg_dist_placement p using (shardid)
        join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
        join pg_class c on c.oid = s.logicalrelid
      where c.relnamespace = 'answer_evidence'::regnamespace and s.shardminvalue is not null
      order by n.groupid, s.shardminvalue::int`,
  });
  const nodes = new Map<string, Map<string, Map<string, string>>>();
  for (const { node, part, name, shard } of rows) {
    const parts = nodes.get(node) ?? new Map<string, Map<string, string>>();
    nodes.set(node, parts);
    const tables = parts.get(part) ?? new Map<string, string>();
    parts.set(part, tables);
    tables.set(name, shard);
  }
  return [...nodes].map(([node, parts]) => ({ node, parts: [...parts.values()] }));
}
