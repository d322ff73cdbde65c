import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { HeadError } from '@answer-evidence/ports';
import { parseConfig } from '../ground/config.ts';
import { StartError } from '../ground/start-error.ts';
import { explainStart } from './explain-start.ts';

const config = parseConfig({ DATABASE_URL: 'postgres://anna:secret@db.example.com/evidence' });

describe('a start that ends', () => {
  it('says what to do where a store meets a database without a free connection', () => {
    const cause = Object.assign(new Error('remaining connection slots are reserved'), { code: '53300' });
    const error = new ServiceError('ledger_unavailable', 'the database is unavailable', { remedy: 'retry', cause });
    const explained = explainStart(error, config);
    expect(explained).toBeInstanceOf(StartError);
    expect((explained as Error).message).toBe(
      'PostgreSQL at db.example.com:5432 has no free connection; close other clients or raise max_connections',
    );
  });

  it('says what to do about a head, and leaves what is of another server as it was', () => {
    expect(explainStart(new HeadError('log_refused', 'the log is behind'), config)).toBeInstanceOf(StartError);
    const other = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    expect(explainStart(other, config)).toBe(other);
  });
});
