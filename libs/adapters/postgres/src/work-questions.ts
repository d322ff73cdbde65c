import type pg from 'pg';
import type { AskForWork, WorkKind } from '@answer-evidence/ports';
import type { NodeQuestions } from './distribution/node-questions.ts';
import { queryOnce, toCallerError } from './session.ts';
import { isOfCoordinator, WORK } from './work-statements.ts';

const KINDS = Object.keys(WORK) as readonly WorkKind[];

/** One column for each kind: whether there is such work, or null where nobody asked. The parameters are `values`. */
export const WORK_COLUMNS = KINDS.map((kind, n) => {
  const at = `$${n + 1}::bigint`;
  return `case when ${at} is not null then exists (${WORK[kind](at)}) end as "${kind}"`;
}).join(',\n  ');

/** What the columns say. */
export type WorkRow = Readonly<Partial<Record<WorkKind, boolean | null>>>;

/** The same where tables are on nodes: each is asked by itself, and one that is unavailable says nothing. */
export async function askNodesForWork(
  pool: pg.Pool,
  nodes: NodeQuestions,
  values: readonly (number | null)[],
): Promise<WorkRow> {
  const asked = KINDS.flatMap((kind, n) => {
    const at = values[n] ?? null;
    return at === null ? [] : [{ name: kind, text: `select exists (${WORK[kind](String(at))}) as is_there` }];
  });
  const ofCoordinator = asked.filter(({ name }) => isOfCoordinator(name));
  const ofNodes = asked.filter(({ name }) => !isOfCoordinator(name));
  const answers = await nodes.ask(pool, ofNodes);
  const found = Object.fromEntries(
    [...answers].map(([kind, said]) => [kind, said.some((row) => row['is_there'] === true)]),
  );
  if (ofCoordinator.length === 0) return found;
  const columns = ofCoordinator.map(({ name, text }) => `(${text}) as "${name}"`).join(', ');
  const { rows: own } = await queryOnce<WorkRow>(pool, { text: `select ${columns}` });
  return { ...found, ...own[0] };
}

type Waiting = {
  readonly questions: Parameters<AskForWork>[0];
  readonly resolve: (isThere: boolean) => void;
  readonly reject: (error: unknown) => void;
};

/** Questions that are about to be sent together. */
type Batch = {
  /** The parameters of `WORK_COLUMNS`. */
  readonly values: readonly (number | null)[];
  answer(row: WorkRow): void;
  fail(error: unknown): void;
};

/** Collects the questions of a process after work until somebody asks the database anyway. */
export class WorkQuestions {
  #waiting: Waiting[] = [];
  #isOver = false;

  readonly ask: AskForWork = (questions) => {
    if (this.#isOver) return Promise.resolve(false);
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    this.#waiting.push({ questions, resolve, reject });
    return promise;
  };

  /** What was asked since the last time. Anyone who takes it answers it, or says why not. */
  take(): Batch {
    const waiting = this.#waiting;
    this.#waiting = [];
    const times = new Map<WorkKind, number>();
    // Two that ask for one kind get the answer for the later time, which is yes for either if it is for one.
    for (const { kind, micros = 0 } of waiting.flatMap(({ questions }) => questions))
      times.set(kind, Math.max(micros, times.get(kind) ?? 0));
    return {
      values: KINDS.map((kind) => times.get(kind) ?? null),
      answer(row) {
        for (const { questions, resolve } of waiting) resolve(questions.some(({ kind }) => row[kind] === true));
      },
      fail(error) {
        for (const { reject } of waiting) reject(toCallerError(error));
      },
    };
  }

  /** Nobody answers any more: there is nothing to be done. */
  end(): void {
    this.#isOver = true;
    this.take().answer({});
  }
}
