import pg from 'pg';

/** A column as the catalog describes it. */
export type Column = {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
};

/** One way to change a value: an SQL expression over the old one, for rows where `where` holds. */
export type Alteration = { readonly name: string; readonly where: string; readonly sql: string };

/** A row by where its untouched copy lies. */
export type Victim = { readonly copy: string; readonly label: string };

/** Somebody with write access to the database and none of the service's keys. */
export type Vandal = {
  readonly columns: readonly Column[];
  readonly tables: readonly string[];
  /** One row of each kind, `kind` being an SQL expression, among those where `where` holds. */
  victims(table: string, kind: string, where: string): Promise<readonly Victim[]>;
  /** A value of a victim's row, as it was. */
  valueOf(table: string, victim: Victim, sql: string): Promise<string | null>;
  /** Changes a value past all triggers, runs the action, and puts the row back. */
  whileAltered<T>(
    column: Column,
    victim: Victim,
    alteration: Alteration,
    action: () => Promise<T>,
  ): Promise<T | 'refused'>;
  /** Deletes the row, runs the action, and puts it back. */
  whileDeleted<T>(table: string, victim: Victim, action: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** What a constraint answers to a value that it does not let in. */
const REFUSALS = new Set(['23505', '23514', '23502', '23503']);

/** Opens a superuser's connection that triggers do not stop, and keeps a copy of every table to put rows back from. */
export async function openVandal(databaseUrl: string): Promise<Vandal> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('set session_replication_role = replica');
  const { rows: columns } = await client.query<Column>(
    `select c.table_name as table, c.column_name as name, c.data_type as type, c.is_nullable = 'YES' as nullable
       from information_schema.columns c
       where c.table_schema = 'answer_evidence' and c.is_generated = 'NEVER'
       order by c.table_name, c.ordinal_position`,
  );
  const tables = [...new Set(columns.map(({ table }) => table))];
  await client.query('create schema untouched');
  for (const table of tables) await client.query(`create table untouched.${table} as table answer_evidence.${table}`);

  // Rows that are equal in every column stand for each other, so the copy finds its original by all columns.
  const sameRow = (table: string) =>
    `o.ctid = (select x.ctid from answer_evidence.${table} x, untouched.${table} u
       where u.ctid = $1::tid and to_jsonb(x) = to_jsonb(u) limit 1)`;

  async function putBack(table: string, victim: Victim): Promise<void> {
    const stored = columns.filter((column) => column.table === table).map(({ name }) => name);
    await client.query(
      `insert into answer_evidence.${table} (${stored.join(', ')})
         select ${stored.join(', ')} from untouched.${table} where ctid = $1::tid`,
      [victim.copy],
    );
  }

  return {
    columns,
    tables,
    async victims(table, kind, where) {
      const { rows } = await client.query<Victim>(
        `select distinct on (kind) ctid::text as copy, kind as label
           from (select ctid, (${kind})::text as kind from untouched.${table} where ${where}) k order by kind`,
      );
      return rows;
    },
    async valueOf(table, victim, sql) {
      const { rows } = await client.query<{ value: string | null }>(
        `select (${sql})::text as value from untouched.${table} where ctid = $1::tid`,
        [victim.copy],
      );
      return rows[0]?.value ?? null;
    },
    async whileAltered({ table, name }, victim, alteration, action) {
      let place: string;
      try {
        const { rows } = await client.query<{ place: string }>(
          `update answer_evidence.${table} o set ${name} = ${alteration.sql} where ${sameRow(table)}
             returning o.ctid::text as place`,
          [victim.copy],
        );
        if (rows.length !== 1) throw new Error(`a row of ${table} was not put back`);
        place = rows[0]?.place ?? '';
      } catch (error) {
        if (error instanceof pg.DatabaseError && REFUSALS.has(error.code ?? '')) return 'refused';
        throw error;
      }
      try {
        return await action();
      } finally {
        await client.query(`delete from answer_evidence.${table} where ctid = $1::tid`, [place]);
        await putBack(table, victim);
      }
    },
    async whileDeleted(table, victim, action) {
      const { rowCount } = await client.query(`delete from answer_evidence.${table} o where ${sameRow(table)}`, [
        victim.copy,
      ]);
      if (rowCount !== 1) throw new Error(`a row of ${table} was not put back`);
      try {
        return await action();
      } finally {
        await putBack(table, victim);
      }
    },
    close: () => client.end(),
  };
}

/** Changes that suit a type: values are altered, removed or added, and numbers go to their limits. */
export function alterationsOf({ name, type, nullable }: Column): readonly Alteration[] {
  const present = `${name} is not null`;
  const alterations: Alteration[] = [];
  const add = (title: string, where: string, sql: string) => alterations.push({ name: title, where, sql });
  switch (type) {
    case 'bytea':
      add(
        'one bit flipped',
        `length(${name}) > 0`,
        `set_bit(${name}, 8 * (length(${name}) / 2), 1 - get_bit(${name}, 8 * (length(${name}) / 2)))`,
      );
      add('last byte cut off', `length(${name}) > 0`, `substring(${name} from 1 for length(${name}) - 1)`);
      break;
    case 'bigint':
    case 'integer':
      add('one more', present, `${name} + 1`);
      add('largest', present, type === 'bigint' ? '9223372036854775807' : '2147483647');
      break;
    case 'xid8':
      add('one more', present, `(${name}::text::bigint + 1)::text::xid8`);
      break;
    case 'timestamp with time zone':
      add('one second more', present, `${name} + interval '1 second'`);
      break;
    case 'boolean':
      add('turned round', present, `not ${name}`);
      break;
    case 'uuid':
      add(
        'last digit changed',
        present,
        `overlay(${name}::text placing case when right(${name}::text, 1) = '0' then '1' else '0' end from 36)::uuid`,
      );
      break;
    case 'text':
      add(
        'one character changed',
        `${name} <> ''`,
        `left(${name}, -1) || case when right(${name}, 1) = 'a' then 'b' else 'a' end`,
      );
      if (name.endsWith('_json')) add('a space put in', present, `${name} || ' '`);
      break;
    case 'ARRAY':
      add('emptied', `cardinality(${name}) > 0`, `'{}'`);
      add('the first one put in again', `cardinality(${name}) > 0`, `${name} || ${name}[1:1]`);
      break;
    default:
      throw new Error(`${name}: nobody said how a ${type} is altered`);
  }
  if (nullable) {
    add('taken away', present, 'null');
    const put: Record<string, string> = {
      bytea: `'\\x00'`,
      bigint: '1',
      integer: '1',
      uuid: 'gen_random_uuid()',
      text: `'put'`,
    };
    add('put there', `${name} is null`, put[type] ?? 'null');
  }
  return alterations;
}
