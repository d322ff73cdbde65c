import { useState } from 'react';
import type { TriagedFinding, TriageStepRequest } from '@answer-evidence/contracts';
import { useSession } from '../../../session/session-context.tsx';
import { useReload } from '../../../session/workspace-query.ts';
import { undoOf } from './undo-of.ts';

/** A step to take on one finding, with the version that was read of it. */
type Planned = { readonly position: number; readonly step: TriageStepRequest };

/**
 * Takes one step per finding, each with the version that was read. What somebody else has changed stops it, and what
 * was done until then stays, and can be taken back by steps of its own.
 */
export function useBulkSteps(runId: string) {
  const { client } = useSession();
  const reload = useReload();
  const [percent, setPercent] = useState<number | null>(null);
  /** What takes the last steps back; empty after that was done, and null before anything was. */
  const [undo, setUndo] = useState<readonly Planned[] | null>(null);

  async function takeAll(planned: readonly Planned[], onTaken: (position: number, version: number) => void) {
    try {
      for (const [at, { position, step }] of planned.entries()) {
        setPercent((100 * at) / planned.length);
        const { triage } = await client.reconciliations.takeStep(runId, position, step);
        onTaken(position, triage.version);
      }
    } finally {
      setPercent(null);
      await reload('triage', runId);
    }
  }

  return {
    percent,
    undo,
    forget: () => setUndo(null),
    take: async (findings: readonly TriagedFinding[], step: TriageStepRequest) => {
      const taken: Planned[] = [];
      const before = new Map(findings.map(({ position, triage }) => [position, triage]));
      const planned = findings.map(({ position, triage }) => ({
        position,
        step: { ...step, version: triage.version },
      }));
      try {
        await takeAll(planned, (position, version) => {
          const triage = before.get(position);
          const back = triage && undoOf(step, triage);
          if (back !== undefined) taken.unshift({ position, step: { ...back, version } });
        });
      } finally {
        setUndo(taken.length === 0 ? null : taken);
      }
    },
    takeBack: async () => {
      const left = new Map((undo ?? []).map((one) => [one.position, one]));
      try {
        await takeAll([...left.values()], (position) => left.delete(position));
      } finally {
        // What could not be taken back is offered again.
        setUndo([...left.values()]);
      }
    },
  };
}
