import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findRunning, readProcess, readState, removeState, writeState } from './state.ts';

const STATE = { pid: process.pid, isReady: true, url: 'http://localhost:8080', parts: [] };

describe('the state of a supervisor', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'answer-evidence-state-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is that of none where another process has its pid', () => {
    expect(findRunning(folder)).toBeUndefined();
    writeState(folder, STATE);
    expect(readState(folder)).toEqual(STATE);
    expect(findRunning(folder)).toBeUndefined();
    removeState(folder);
    expect(readState(folder)).toBeUndefined();
  });

  it('is none where its file is damaged', () => {
    writeFileSync(join(folder, 'running.json'), JSON.stringify(STATE).slice(0, 20));
    expect(findRunning(folder)).toBeUndefined();
  });

  it('tells processes apart', () => {
    expect(readProcess(process.pid, 'lstart')).toMatch(/:\d\d /);
    expect(readProcess(process.pid, 'args')).toContain('node');
    expect(readProcess(2 ** 30, 'args')).toBeUndefined();
  });
});
