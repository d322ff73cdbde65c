import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { createJournal, type Outcome } from './exchange.ts';

function openJournal() {
  const lines: { level: string; fields: Record<string, unknown> }[] = [];
  let now = 0;
  const journal = createJournal({
    logger: {
      isLevelEnabled: () => true,
      info: (fields) => void lines.push({ level: 'info', fields: { ...fields } }),
      error: (fields) => void lines.push({ level: 'error', fields: { ...fields } }),
    },
    metrics: { requestStarted: () => undefined, requestEnded: () => undefined, damageFound: () => undefined },
    nextRequestId: () => 'request',
    nowMs: () => now,
  });
  return {
    lines,
    end: (outcome: Outcome) => journal.end(journal.begin(), 'POST', outcome),
    wait: (ms: number) => void (now += ms),
  };
}

const error = new ServiceError('overloaded', 'the server is at capacity; retry the same request', { remedy: 'retry' });
const OVERLOADED = { status: 503, code: 'overloaded', error } as const;

describe('a flood of refusals for want of capacity', () => {
  it('is described once in ten seconds, with how many there were, and has a plain line for each', () => {
    const { lines, end, wait } = openJournal();
    for (let n = 0; n < 50; n++) end(OVERLOADED);
    wait(10_000);
    for (let n = 0; n < 5; n++) end(OVERLOADED);
    expect(lines).toHaveLength(55);
    expect(lines.every(({ fields }) => fields['status'] === 503 && fields['code'] === 'overloaded')).toBe(true);
    const described = lines.filter(({ level }) => level === 'error');
    expect(described.map(({ fields }) => [fields['err'], fields['overloaded_before']])).toEqual([
      [error, 0],
      [error, 49],
    ]);
    expect(lines.filter(({ fields }) => fields['err'] !== undefined)).toHaveLength(2);
  });

  it('hides no other failure', () => {
    const { lines, end } = openJournal();
    end(OVERLOADED);
    const other = { status: 503, code: 'ledger_unavailable', error: new Error('away') } as const;
    end(other);
    end(other);
    end({ status: 200 });
    expect(lines.map(({ level, fields }) => [level, fields['err']])).toEqual([
      ['error', error],
      ['error', other.error],
      ['error', other.error],
      ['info', undefined],
    ]);
  });
});
