import type pg from 'pg';
import { queryOnce } from '../session.ts';

/** Connections that replicate the files: not those of logical replication, of a base backup, or of an archive. */
export const COUNT_STANDBYS = `(select count(*)::int from pg_stat_replication r
  where r.application_name is distinct from 'pg_basebackup' and r.application_name is distinct from 'pg_receivewal'
    and not exists (select from pg_replication_slots s where s.active_pid = r.pid and s.slot_type = 'logical'))`;

/** How many standbys there are while no commit waits for one: what a failover to them can lose is acknowledged. */
export async function countAsynchronousStandbys(pool: pg.Pool): Promise<number> {
  const { rows } = await queryOnce<{ standbys: number }>(pool, {
    name: 'count_standbys',
    text: `select case when current_setting('synchronous_standby_names') = '' then ${COUNT_STANDBYS} else 0 end as standbys`,
    values: [],
  });
  return rows[0]?.standbys ?? 0;
}
