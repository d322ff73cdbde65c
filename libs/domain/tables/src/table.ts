import type { EntryType, JsonObject } from '@answer-evidence/contracts';

/** The types of PostgreSQL that columns have. */
export type ColumnType = 'uuid' | 'text' | 'bigint' | 'integer' | 'bytea' | 'boolean';

/** One column: how it is stored, and the type of its value in a row. */
export type Column<Value = unknown> = {
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** The column came after rows had MACs: null is left out of them, so that earlier rows keep theirs. */
  readonly isLater?: true;
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

/** The same column, in a table whose earlier rows have MACs without it. */
export const later = <Value>(of: Column<Value | null>): Column<Value | null> => ({ ...of, isLater: true });

type ColumnsOf<Row> = { readonly [Name in keyof Row]: Column<Row[Name]> };

/** What the rows of a table belong to, by the column that names it: a record, an asset or a reconciliation. */
export type BelongsTo<Name> = { readonly record: Name } | { readonly asset: Name } | { readonly run: Name };

/** The schema of a core. Its members name the columns that hold them. */
export type CoreSchema<Core = JsonObject> = {
  readonly shape: Readonly<Record<string, { safeParse(value: unknown): { readonly success: boolean } }>>;
  parse(value: unknown): Core;
};

/** One stored table of a workspace. The workspace's id, with which every key begins, is a column of none of them. */
export type Table<Row, Name extends string = string, Core = JsonObject> = {
  readonly name: Name;
  /** In the order of insertion. A MAC is made over them in this order, too. */
  readonly columns: readonly (keyof Row & string)[];
  readonly types: ColumnsOf<Row>;
  readonly key: readonly (keyof Row & string)[];
  /** Rows come, and never change or go: the database refuses it. */
  readonly insertOnly: boolean;
  /**
   * Each row is stored with a MAC of all these columns, in a further column `mac` that the store writes and checks. For
   * statements that no entry of a log covers.
   */
  readonly authenticated: boolean;
  readonly belongsTo?: BelongsTo<keyof Row & string> | undefined;
  /** The type of the leaf whose id is the row's. */
  readonly leafType?: EntryType | undefined;
  /** The core that a row holds, where all of its members are columns. */
  readonly core?: CoreSchema<Core> | undefined;
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
export function table<const Name extends string, Row, Core = JsonObject>(
  name: Name,
  of: {
    readonly key: readonly (keyof NoInfer<Row> & string)[];
    readonly insertOnly?: true;
    readonly authenticated?: true;
    readonly belongsTo?: BelongsTo<keyof NoInfer<Row> & string>;
    readonly leafType?: EntryType;
    readonly core?: CoreSchema<Core>;
    readonly noun?: string;
    readonly replaces?: readonly (keyof NoInfer<Row> & string)[];
    readonly columns: ColumnsOf<Row>;
  },
): Table<Readonly<Row>, Name, Core> {
  const { columns: types, key, insertOnly = false, authenticated = false, replaces = [] } = of;
  const { belongsTo, leafType, core, noun } = of;
  const columns = Object.keys(types) as (keyof Row & string)[];
  return { name, columns, types, key, insertOnly, authenticated, replaces, belongsTo, leafType, core, noun };
}
