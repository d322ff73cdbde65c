import type { EntryType } from '@answer-evidence/contracts';

/** The types of PostgreSQL that columns have. */
export type ColumnType = 'uuid' | 'text' | 'bigint' | 'integer' | 'bytea' | 'boolean';

/** One column: how it is stored, and the type of its value in a row. */
export type Column<Value = unknown> = {
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** Only a type; no column has it. */
  readonly value?: Value;
};

const column = <Value>(type: ColumnType): Column<Value> => ({ type, nullable: false });
export const uuid = column<string>('uuid');
export const text = column<string>('text');
/** A safe integer: times (microseconds since 1970), positions and sizes. */
export const bigint = column<number>('bigint');
export const integer = column<number>('integer');
export const bytea = column<Uint8Array>('bytea');
export const boolean = column<boolean>('boolean');
/** A text that has one of a few values. */
export const oneOf = <Value extends string>(): Column<Value> => column('text');
/** The same column, null where there is nothing. */
export const nullable = <Value>({ type }: Column<Value>): Column<Value | null> => ({ type, nullable: true });

type ColumnsOf<Row> = { readonly [Name in keyof Row]: Column<Row[Name]> };

/** What the rows of a table belong to, by the column that names it: a record, an asset or a reconciliation. */
export type BelongsTo<Name> = { readonly record: Name } | { readonly asset: Name } | { readonly run: Name };

/** One stored table of a workspace. The workspace's id, with which every key begins, is a column of none of them. */
export type Table<Row, Name extends string = string> = {
  readonly name: Name;
  /** In the order of insertion. A MAC is made over them in this order, too. */
  readonly columns: readonly (keyof Row & string)[];
  readonly types: ColumnsOf<Row>;
  readonly key: readonly (keyof Row & string)[];
  /** Rows come, and never change or go: the database refuses it. */
  readonly insertOnly: boolean;
  readonly belongsTo?: BelongsTo<keyof Row & string> | undefined;
  /** The type of the leaf whose id is the row's. */
  readonly leafType?: EntryType | undefined;
  /** What a row is called in the findings of a ledger check, where that is not what it belongs to. */
  readonly noun?: string | undefined;
  /** The columns that a row changes which is put in the place of one of its key. */
  readonly replaces: readonly (keyof Row & string)[];
};

/** Any table, of whatever rows. */
export type AnyTable = Table<Readonly<Record<string, unknown>>>;

/** A row: every column of its table, with a value of its type. */
export type RowOf<T> = T extends Table<infer Row> ? Row : never;

/** Rows of several tables, each kind under its name. */
export type RowsOf<Tables> = { readonly [Name in keyof Tables]: readonly RowOf<Tables[Name]>[] };

/** A table of these columns. */
export function table<const Name extends string, Row>(
  name: Name,
  of: {
    readonly key: readonly (keyof NoInfer<Row> & string)[];
    readonly insertOnly?: true;
    readonly belongsTo?: BelongsTo<keyof NoInfer<Row> & string>;
    readonly leafType?: EntryType;
    readonly noun?: string;
    readonly replaces?: readonly (keyof NoInfer<Row> & string)[];
    readonly columns: ColumnsOf<Row>;
  },
): Table<Readonly<Row>, Name> {
  const { columns: types, key, insertOnly = false, replaces = [], belongsTo, leafType, noun } = of;
  const columns = Object.keys(types) as (keyof Row & string)[];
  return { name, columns, types, key, insertOnly, replaces, belongsTo, leafType, noun };
}
