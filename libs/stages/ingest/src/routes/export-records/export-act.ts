import { PAGE_SIZE_MAX } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import { permitCommand } from '@answer-evidence/ledger';
import type { ApprovableAct } from '@answer-evidence/ports';
import { readWindow } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';

/** Most contents of one export, held in memory some times over: 200 full records would be gigabytes. */
export const CONTENTS_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Exports that somebody asked for. The approval makes none: it allows one, by who asked, of what matched when they
 * asked. What is recorded later is not in it, since its window ends with the request.
 */
export function createExportAct({ records, clock }: Pick<IngestDeps, 'records' | 'clock'>): ApprovableAct {
  return {
    async pin(workspace, { export: asked }) {
      if (asked === undefined) throw new TypeError('an export is asked for');
      const { format, records: _, ...window } = asked;
      const filters = readWindow({ created_before: formatTimestamp(clock.nowMicros()), ...window }, 'created', '/');
      const found = await records.export(workspace.id, filters, PAGE_SIZE_MAX, CONTENTS_BYTES_MAX);
      return { export: { ...filters, format, records: found.records.length } };
    },
    prepare: ({ workspace }) => Promise.resolve(permitCommand(workspace.id)),
  };
}
