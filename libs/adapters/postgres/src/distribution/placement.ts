/** Tables that every node has whole, since tables of workspaces refer to them. */
export const ON_EVERY_NODE: readonly string[] = ['workspaces'];

/** Tables that stay with the coordinator, and why. Everything else lies with its workspace. */
export const ON_COORDINATOR: Readonly<Record<string, string>> = {
  clock_marks: 'one row, of the installation',
  dead_letters: 'jobs of every workspace are given up by one relay',
  device_logins: 'devices that ask to sign in, before their workspace is known',
  erasures: 'what the vacuum of the nodes has to do',
  installation: 'one row, which also orders those who change it',
  login_places: 'keys of people who sign in, before their workspace is known',
  login_tries: 'as login_places',
  outbox: 'the relay takes the oldest due jobs of every workspace, and locks them',
  token_signing_keys: 'of the installation',
  token_uses: 'listed with the tokens',
  tokens: 'a request presents the id of a token, and nothing else',
};

/**
 * Tables of the coordinator that are written in one transaction with rows on nodes. Citus has to know them: only then
 * it commits such a transaction in two phases, everywhere or nowhere.
 */
export const WRITTEN_WITH_OTHERS: readonly string[] = [
  'dead_letters',
  'erasures',
  'installation',
  'outbox',
  'token_uses',
  'tokens',
];

/** Whether a table of `pg_dist_partition p` is where it should be; Citus notes others that refer to these, too. */
export const IS_PLACED = `(p.partmethod = 'h' or p.repmodel = 't')`;

/** The table that the others are laid beside. */
export const FIRST_TABLE = 'ledger_heads';
