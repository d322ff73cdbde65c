import type pg from 'pg';
import type { LoginTryStore } from '@answer-evidence/ports';
import { readInstallation, writeInstallation } from '../session.ts';

/** When all tries of `t` are there again, as far ahead as the limit allows: $2 is now, $3 takes one try, $4 all. */
const FREE_AT = 'greatest(least(t.free_at, $2::bigint + $4::bigint), $2::bigint)';

/** Tries to sign in and known places, on PostgreSQL. The generic cell rate algorithm, in one statement per try. */
export function createLoginTryStore(pool: pg.Pool): LoginTryStore {
  const write = (name: string, sql: string, values: readonly unknown[]) =>
    writeInstallation(pool, (query) => query<{ free_at: number }>(name, sql, values));
  return {
    async take(key, { count, everyMicros }, nowMicros) {
      const allMicros = count * everyMicros;
      const values = [key, nowMicros, everyMicros, allMicros];
      const [taken] = await write(
        'take_login_try',
        `insert into answer_evidence.login_tries as t (key, free_at) values ($1, $2::bigint + $3::bigint)
           on conflict (key) do update set free_at = ${FREE_AT} + $3
             where ${FREE_AT} + $3 <= $2::bigint + $4::bigint
           returning free_at`,
        values,
      );
      if (taken !== undefined) return 0;
      const [refused] = await readInstallation(pool, (query) =>
        query<{ wait: number }>(
          'login_try_wait',
          `select ${FREE_AT} + $3::bigint - $2::bigint - $4::bigint as wait
             from answer_evidence.login_tries t where key = $1`,
          values,
        ),
      );
      return Math.max(1, refused?.wait ?? 1);
    },
    async giveBack(key, { everyMicros }) {
      await write('give_login_try', 'update answer_evidence.login_tries set free_at = free_at - $2 where key = $1', [
        key,
        everyMicros,
      ]);
    },
    async isKnown(place) {
      const rows = await readInstallation(pool, (query) =>
        query('login_place', 'select 1 from answer_evidence.login_places where key = $1', [place]),
      );
      return rows.length > 0;
    },
    async remember(place, nowMicros) {
      await write(
        'remember_login_place',
        `insert into answer_evidence.login_places (key, last_at) values ($1, $2)
           on conflict (key) do update set last_at = excluded.last_at`,
        [place, nowMicros],
      );
    },
    async forget(triesBefore, placesBefore) {
      await write('forget_login_tries', 'delete from answer_evidence.login_tries where free_at < $1', [triesBefore]);
      await write('forget_login_places', 'delete from answer_evidence.login_places where last_at < $1', [placesBefore]);
    },
  };
}
