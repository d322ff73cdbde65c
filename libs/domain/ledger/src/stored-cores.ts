import type { JsonObject, JsonValue } from '@answer-evidence/contracts';
import { canonicalize, formatHex, formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import { type AnyTable, type ColumnType, type CoreSchema, type Table, TABLES } from '@answer-evidence/tables';

/** The JSON of a column, or its text as it is when it is no JSON: what is wrong with it is the schema's to say. */
export function columnOf(text: string): JsonValue {
  try {
    return parseJsonText(text);
  } catch {
    return text;
  }
}

type AnyRow = Readonly<Record<string, unknown>>;

/** One member of a core, as the columns of a row say it. */
type Member = {
  readonly name: string;
  /** Left out of the core where its column is null: a member that older cores do not have. */
  readonly isOptional: boolean;
  /** The column, or undefined for an object of several. */
  readonly column: string | undefined;
  /** Its value, whether or not that is one of the schema. */
  readonly describe: (row: AnyRow) => JsonValue;
  /** Its JCS text. */
  readonly format: (row: AnyRow) => string;
};

/** Members whose column has another name. */
const COLUMN_NAMES: Readonly<Record<string, string>> = {
  answer_log_id: 'record_id',
  access_event_ids: 'access_ids',
  purpose: 'purpose_hash',
};

/**
 * The members of a core, in the order of its schema. `x` is in the column `x`, or in `x_json` as its JCS, or it is an
 * object whose members are in `x_…`.
 */
function membersOf(table: AnyTable, core: CoreSchema, prefix = ''): readonly Member[] {
  return Object.entries(core.shape).map(([name, schema]) => {
    const plain = COLUMN_NAMES[name] ?? `${prefix}${name}`;
    const isOptional = schema.safeParse(undefined).success;
    const type = table.types[plain]?.type;
    if (type !== undefined) return { name, isOptional, column: plain, ...readPlain(plain, type) };
    const json = `${plain}_json`;
    if (json in table.types) {
      const textOf = (row: AnyRow) => row[json] as string;
      return { name, isOptional, column: json, describe: (row) => columnOf(textOf(row)), format: textOf };
    }
    if (!('shape' in schema)) throw new Error(`${table.name} has no column for ${name}`);
    const inner = membersOf(table, schema as unknown as CoreSchema, `${plain}_`);
    const format = formatterOf(inner);
    return { name, isOptional, column: undefined, describe: (row) => describe(inner, row), format };
  });
}

function readPlain(column: string, type: ColumnType): Pick<Member, 'describe' | 'format'> {
  const textOf = TEXT_OF[type];
  const asText = (value: unknown) => (textOf === undefined ? (value as JsonValue) : textOf(value));
  return {
    describe: (row) => (row[column] === null ? null : asText(row[column])),
    // A text that is made here needs no escaping.
    format: (row) =>
      textOf === undefined || row[column] === null
        ? canonicalize(row[column] as JsonValue)
        : `"${textOf(row[column])}"`,
  };
}

/** How a column is written that JSON has no type for; a bigint of a core is a time. */
const TEXT_OF: Readonly<Partial<Record<ColumnType, (value: unknown) => string>>> = {
  bytea: (value) => formatHex(value as Uint8Array),
  bigint: (value) => formatTimestamp(value as number),
};

function describe(members: readonly Member[], row: AnyRow): JsonObject {
  const core: Record<string, JsonValue> = {};
  for (const { name, isOptional, column, describe: valueOf } of members)
    if (!isOptional || column === undefined || row[column] !== null) core[name] = valueOf(row);
  return core;
}

/** Writes an object in key order from the row: the bytes of the general writer, at a fraction of the time. */
function formatterOf(members: readonly Member[]): (row: AnyRow) => string {
  const sorted = members
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, isOptional, column, format }) => ({
      start: `"${name}":`,
      optionalColumn: isOptional ? column : undefined,
      format,
    }));
  return (row) => {
    let text = '';
    for (const { start, optionalColumn, format } of sorted) {
      if (optionalColumn !== undefined && row[optionalColumn] === null) continue;
      text += (text === '' ? '{' : ',') + start + format(row);
    }
    return `${text}}`;
  };
}

type StoredCore = { readonly members: readonly Member[]; readonly format: (row: AnyRow) => string };

/** How the cores of every table that has them are read. A member without a column would throw here, at the start. */
const STORED_CORES: ReadonlyMap<string, StoredCore> = new Map(
  Object.values<AnyTable>(TABLES).flatMap((table): (readonly [string, StoredCore])[] => {
    if (table.core === undefined) return [];
    const members = membersOf(table, table.core);
    return [[table.name, { members, format: formatterOf(members) }]];
  }),
);

function storedCore(table: { readonly name: string }): StoredCore {
  const stored = STORED_CORES.get(table.name);
  if (stored === undefined) throw new Error(`the rows of ${table.name} hold no core`);
  return stored;
}

/** What a row says its core is, column by column, whether or not it is one. */
export function describeCore<Row>(table: Table<Row>, row: Omit<Row, 'leaf_index' | 'key_claim'>): JsonObject {
  return describe(storedCore(table).members, row);
}

/** The core of a row. Throws when it is not of the form of a core. */
export function coreOf<Row, Core>(table: Table<Row, string, Core>, row: Omit<Row, 'leaf_index' | 'key_claim'>): Core {
  if (table.core === undefined) throw new Error(`the rows of ${table.name} hold no core`);
  return table.core.parse(describe(storedCore(table).members, row));
}

/** The JCS text of the core of a row, without a check of its form. Throws `EncodingError` for half a surrogate pair. */
export function formatCore<Row>(table: Table<Row>, row: Omit<Row, 'leaf_index' | 'key_claim'>): string {
  return storedCore(table).format(row);
}
