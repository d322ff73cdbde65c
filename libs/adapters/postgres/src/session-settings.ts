import type pg from 'pg';
import { assertSession, type DatabaseRole, type SessionSettings } from './assert-session.ts';

/**
 * Every setting that changes the text of a value, the meaning of a literal or of a statement, or what a session keeps
 * from its user. A server, a database or a role may have others: a connection asks for these, and is judged by them.
 * Time-outs are here so that none but ours ends a statement; what only changes a plan is not.
 */
const FIXED: SessionSettings = {
  array_nulls: 'on',
  backslash_quote: 'safe_encoding',
  bytea_output: 'hex',
  check_function_bodies: 'on',
  client_encoding: 'UTF8',
  client_min_messages: 'notice',
  DateStyle: 'ISO, MDY',
  default_table_access_method: 'heap',
  default_transaction_deferrable: 'off',
  default_transaction_isolation: 'read committed',
  escape_string_warning: 'on',
  exit_on_error: 'off',
  extra_float_digits: '1',
  gin_fuzzy_search_limit: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  IntervalStyle: 'postgres',
  lc_monetary: 'C',
  lc_numeric: 'C',
  lc_time: 'C',
  lock_timeout: '0',
  // Parameters are texts of callers, and errors go into logs.
  log_parameter_max_length_on_error: '0',
  quote_all_identifiers: 'off',
  row_security: 'on',
  search_path: 'answer_evidence',
  standard_conforming_strings: 'on',
  statement_timeout: '0',
  synchronous_commit: 'on',
  TimeZone: 'UTC',
  transform_null_equals: 'off',
  xmlbinary: 'base64',
  xmloption: 'content',
};

/** The same for settings that not every version has; a connection that asked for one would be refused by the others. */
const FIXED_WHERE_KNOWN: SessionSettings = {
  // Nodes have to hear what row-level security goes by.
  'citus.propagate_set_commands': 'local',
  createrole_self_grant: '',
  restrict_nonsystem_relation_kind: '',
  transaction_timeout: '0',
};

/** What only an administrator may set: a session that has anything else is refused. */
const ADMINISTRATORS: SessionSettings = {
  ignore_checksum_failure: 'off',
  ignore_system_indexes: 'off',
  // Anything else switches off the triggers that refuse a change.
  session_replication_role: 'origin',
  zero_damaged_pages: 'off',
};

/** What a URL may not decide; the driver lets it win over everything else. */
const SETTLED = [
  'options',
  'application_name',
  'client_encoding',
  'idle_in_transaction_session_timeout',
  'lock_timeout',
  'replication',
  'statement_timeout',
];

/** How a connection asks for the settings of the service, and how it is judged before its first use. */
export type Session = {
  readonly connectionString: string;
  readonly options: string;
  /** Throws `DatabaseSetupError` unless the connection has these settings, and no rights but those of its role. */
  readonly assert: (client: pg.ClientBase) => Promise<void>;
};

/**
 * The session of a role at the database of a URL. `own` are settings in place of the fixed ones. What the URL asks for
 * besides is asked for as well: some providers want options of theirs.
 */
export function sessionOf(url: string, role: DatabaseRole, own: SessionSettings = {}): Session {
  const settings = { ...FIXED, ...own };
  const { rest, asked } = splitUrl(url);
  return {
    connectionString: rest,
    // Ours come last, and the last one wins.
    options: [...asked, ...Object.entries(settings).map(([name, value]) => `-c ${name}=${escapeOption(value)}`)].join(
      ' ',
    ),
    assert: (client) =>
      assertSession(client, { settings, whereKnown: FIXED_WHERE_KNOWN, refused: ADMINISTRATORS }, role),
  };
}

/** Blanks separate options, and a backslash keeps one from doing so (PostgreSQL, "libpq options"). */
function escapeOption(value: string): string {
  return value.replaceAll(/[\\ ]/g, String.raw`\$&`);
}

/** A URL without what is ours to set, and the options that it asks for. */
function splitUrl(text: string): { readonly rest: string; readonly asked: readonly string[] } {
  const url = new URL(text);
  const asked = url.searchParams.getAll('options');
  const settled = SETTLED.filter((name) => url.searchParams.has(name));
  if (settled.length === 0) return { rest: text, asked };
  for (const name of settled) url.searchParams.delete(name);
  return { rest: url.href, asked };
}
