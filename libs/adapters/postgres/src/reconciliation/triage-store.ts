import type pg from 'pg';
import type { TriagePerson } from '@answer-evidence/contracts';
import {
  type RunWork,
  StoredDamageError,
  type StoredTriage,
  type StoredTriageStep,
  type TriageStore,
  type WorkspaceDirectory,
  type WorkspaceVault,
} from '@answer-evidence/ports';
import {
  RUN_FINDINGS,
  type RunFindingRow,
  TRIAGE_STEPS,
  TRIAGE_TEXTS,
  type TriageStepRow,
  type TriageTextRow,
} from '@answer-evidence/tables';
import { formatInserts } from '../append/insert-rows.ts';
import { formatNoteOfErasure } from '../append/note-erasure.ts';
import { constraintOf, sqlState } from '../failures.ts';
import { isMacValid, withMacs } from '../rows/row-macs.ts';
import { aliased, type JoinedRow, pick } from '../rows/rows.ts';
import { type Query, readRows, readWorkspace, writeWorkspace } from '../session.ts';
import { createDueCounts } from '../stores/due-counts.ts';
import { placedFinding } from './read-findings.ts';
import { readGroups, readTriaged } from './read-triage.ts';

const STEP_KEY = 'triage_steps_pkey';
const UUID_MIN = '00000000-0000-0000-0000-000000000000';
const BIGINT_MIN = '-9223372036854775808';

/** The work on findings on PostgreSQL. */
export function createTriageStore(pool: pg.Pool, directory: WorkspaceDirectory): TriageStore {
  const vaultOf = async (workspaceId: string) => (await directory.get(workspaceId)).vault;

  return {
    async list(workspaceId, runId, filters, page, nowMicros) {
      const vault = await vaultOf(workspaceId);
      return readWorkspace(pool, workspaceId, async (query) => {
        const [rows, groups] = await Promise.all([
          readTriaged(query, [workspaceId, runId], filters, page, nowMicros),
          readGroups(query, workspaceId, runId, filters, nowMicros),
        ]);
        return { items: rows.map((row) => storedTriage(vault, row)), groups };
      });
    },

    countOf: (workspaceId, runIds, nowMicros) =>
      readWorkspace(pool, workspaceId, (query) =>
        query<RunWork>(
          'triage_work',
          `select l.run_id as "runId", count(*) filter (where l.state = 'resolved') as resolved,
               count(*) filter (where l.state = 'open' and l.assignee_id is not null) as assigned,
               count(*) filter (where l.state = 'open' and l.due_at < $3) as overdue
             from (select distinct on (s.run_id, s.position) s.run_id, s.state, s.assignee_id, s.due_at
               from answer_evidence.triage_steps s
               where s.workspace_id = $1 and s.run_id = any($2::uuid[])
               order by s.run_id, s.position, s.version desc) l
             group by 1`,
          [workspaceId, runIds, nowMicros],
        ),
      ),

    async find(workspaceId, runId, position) {
      const vault = await vaultOf(workspaceId);
      return readWorkspace(pool, workspaceId, async (query) => {
        const values = [workspaceId, runId, position];
        const [findings, steps] = await Promise.all([
          query<JoinedRow>(
            'triage_finding',
            `select ${aliased('f', RUN_FINDINGS)} from answer_evidence.reconciliation_findings f
               where f.workspace_id = $1 and f.run_id = $2 and f.position = $3`,
            values,
          ),
          query<JoinedRow>(
            'triage_steps',
            `select ${aliased('s', TRIAGE_STEPS)}, s.mac as s_mac, ${aliased('t', TRIAGE_TEXTS)},
                 m.username as by_name, a.username as assignee_name
               from answer_evidence.triage_steps s
               left join answer_evidence.triage_texts t on t.workspace_id = $1 and t.run_id = s.run_id
                 and t.position = s.position and t.version = s.version
               left join answer_evidence.members m on m.workspace_id = $1 and m.id = s.member_id
               left join answer_evidence.members a on a.workspace_id = $1 and a.id = s.assignee_id
               where s.workspace_id = $1 and s.run_id = $2 and s.position = $3 order by s.version`,
            values,
          ),
        ]);
        const [finding] = findings;
        if (finding === undefined) return undefined;
        return { ...placedFinding(findingOf(finding)), steps: steps.map((row, n) => storedStep(vault, row, n + 1)) };
      });
    },

    async append(workspaceId, step, text) {
      const vault = await vaultOf(workspaceId);
      const { table, rows } = withMacs(vault, TRIAGE_STEPS, [step]);
      try {
        await writeWorkspace(pool, workspaceId, async (query) => {
          for (const one of formatInserts(table, workspaceId, rows)) await query(one.name, one.text, one.values);
          if (text !== undefined)
            for (const one of formatInserts(TRIAGE_TEXTS, workspaceId, [text]))
              await query(one.name, one.text, one.values);
          if (step.erases !== null)
            await eraseTexts(query, workspaceId, [
              { runId: step.run_id, position: step.position, version: step.erases },
            ]);
        });
      } catch (error) {
        if (sqlState(error) === '23505' && constraintOf(error) === STEP_KEY) return false;
        throw error;
      }
      return true;
    },

    async findDue(workspaceId, nowMicros, after, limit) {
      const rows = await readRows<{ due_at: number; run_id: string; position: number; version: number }>(
        pool,
        'triage_due',
        `select due_at, run_id, position, version from answer_evidence.triage_texts
           where workspace_id = $1 and due_at < $2 and (due_at, run_id, position, version) > ($3, $4, $5, $6)
           order by due_at, run_id, position, version limit $7`,
        [
          workspaceId,
          nowMicros,
          after?.dueAt ?? BIGINT_MIN,
          after?.runId ?? UUID_MIN,
          after?.position ?? 0,
          after?.version ?? 0,
          limit,
        ],
      );
      return rows.map(({ due_at: dueAt, run_id: runId, ...rest }) => ({ dueAt, runId, ...rest }));
    },

    ...createDueCounts(pool, 'triage_texts'),

    erase: (workspaceId, texts) =>
      writeWorkspace(pool, workspaceId, async (query) => {
        if (texts.length > 0) await eraseTexts(query, workspaceId, texts);
      }),
  };
}

type Place = { readonly runId: string; readonly position: number; readonly version: number };

async function eraseTexts(query: Query, workspaceId: string, texts: readonly Place[]): Promise<void> {
  // In the same transaction, so that what was erased is never forgotten before its remains are vacuumed.
  const { name, text, values } = formatNoteOfErasure([]);
  await query(name, text, values);
  await query(
    'triage_erase',
    `delete from answer_evidence.triage_texts t
       using unnest($2::uuid[], $3::integer[], $4::integer[]) as e (run_id, position, version)
       where t.workspace_id = $1 and t.run_id = e.run_id and t.position = e.position and t.version = e.version`,
    [
      workspaceId,
      texts.map(({ runId }) => runId),
      texts.map(({ position }) => position),
      texts.map(({ version }) => version),
    ],
  );
}

function storedTriage(vault: WorkspaceVault, row: JoinedRow): StoredTriage {
  const hasStep = row.s_version !== null;
  return {
    ...placedFinding(findingOf(row)),
    latest: hasStep ? stepOf(vault, row) : undefined,
    assignee: hasStep ? personOf(row.s_assignee_id, row.assignee_name) : null,
  };
}

function storedStep(vault: WorkspaceVault, row: JoinedRow, version: number): StoredTriageStep {
  const step = stepOf(vault, row);
  const by = personOf(step.member_id, row.by_name);
  // Steps stay, so a gap is a row that somebody took away.
  if (step.version !== version || by === null) throw damaged(step.run_id);
  return {
    row: step,
    by,
    assignee: personOf(step.assignee_id, row.assignee_name),
    text: row.t_version === null ? undefined : pick<TriageTextRow>(row, 't', TRIAGE_TEXTS),
  };
}

/** The step of a row. Throws `StoredDamageError`, which names the run, unless its MAC holds. */
function stepOf(vault: WorkspaceVault, row: JoinedRow): TriageStepRow {
  const step = pick<TriageStepRow>(row, 's', TRIAGE_STEPS);
  if (!isMacValid(vault, TRIAGE_STEPS, { ...step, mac: row.s_mac as Uint8Array | null })) throw damaged(step.run_id);
  return step;
}

function findingOf(row: JoinedRow): RunFindingRow {
  return pick<RunFindingRow>(row, 'f', RUN_FINDINGS);
}

function personOf(id: unknown, username: unknown): TriagePerson | null {
  return typeof id === 'string' && typeof username === 'string' ? { id, username } : null;
}

function damaged(runId: string): StoredDamageError {
  return new StoredDamageError(`the work on a finding of the run ${runId} is not what was written`);
}
