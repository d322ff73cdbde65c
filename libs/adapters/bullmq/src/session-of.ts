import type pg from 'pg';

/** The session of a role; `assert` throws unless a connection has the settings and the rights of its role only. */
export type SessionOf = (
  url: string,
  role: 'answer_evidence_relay' | 'owner',
  own: Readonly<Record<string, string>>,
) => {
  readonly connectionString: string;
  readonly options: string;
  readonly assert: (client: pg.ClientBase) => Promise<void>;
};
