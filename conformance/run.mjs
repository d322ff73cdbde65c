#!/usr/bin/env node
/**
 * Runs a verifier over the conformance suite: `node run.mjs [--only TEXT] -- COMMAND [ARGUMENTS]`.
 *
 * The command is started once. It reads one case per line of standard input and writes one verdict per line, in the
 * same order (README.md, "The protocol"). Exit code 0: every verdict is the expected one. 1: some differ. 2: the
 * command cannot be run, or does not write verdicts. Needs Node 20 or newer and nothing else.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

const FOLDER = dirname(fileURLToPath(import.meta.url));
/** The versions of the suite. Both are current: version 2 adds to version 1. */
const SUITES = ['v1', 'v2'];
const SUITE = join(FOLDER, 'v1');
/** How many differences are printed; all are counted. */
const SHOWN_MAX = 50;

/**
 * Every case of the suite: what a verifier is given, which is made when it is asked for, and the outcome of each check;
 * no outcomes where it refuses.
 */
export function* readCases(suite = SUITE) {
  const corrected = new Map(readCorrections(suite).map(({ case: at, ...verdict }) => [at, verdict]));
  let count = 0;
  for (const one of readFrozenCases(suite)) {
    const verdict = corrected.get(count++);
    yield verdict === undefined ? one : withExpected(one, verdict);
  }
}

/** The verdicts of a frozen suite that were found to be wrong: the place of the case, and its verdict. */
function readCorrections(suite) {
  const file = join(suite, 'corrections.jsonl');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

function withExpected(one, { refused, outcomes }) {
  const { id } = one;
  return {
    id,
    get given() {
      return one.given;
    },
    expected: refused === true ? undefined : { ...one.expected, ...outcomes },
  };
}

/** The cases with the verdicts that the suite was frozen with. */
export function* readFrozenCases(suite = SUITE) {
  const manifest = JSON.parse(readFileSync(join(suite, 'manifest.json'), 'utf8'));
  const files = new Map(
    Object.entries(manifest.sha256).map(([path, hash]) => [path, readHashed(join(suite, path), hash)]),
  );
  if (files.has('cases.jsonl.br')) return yield* readWholeCases(files.get('cases.jsonl.br'));
  const sets = new Map(manifest.sets.map((set) => [set.name, set]));
  for (const set of manifest.sets)
    yield {
      id: set.name,
      get given() {
        return giveSet(files, set);
      },
      expected: set.outcomes,
    };
  for (const line of files.get('changes.jsonl').toString('utf8').split('\n').slice(0, -1)) {
    const { outcomes, refused, ...change } = JSON.parse(line);
    const set = sets.get(change.set);
    yield {
      id: `${change.set}: ${change.file} ${change.path} ${change.how}`,
      get given() {
        return giveSet(files, set, change);
      },
      expected: refused === true ? undefined : { ...set.outcomes, ...outcomes },
    };
  }
}

/** The cases of version 2: each is whole, and what they have in common is left to the compression. */
function* readWholeCases(compressed) {
  for (const line of brotliDecompressSync(compressed).toString('utf8').split('\n').slice(0, -1)) {
    const { id, given, outcomes, refused } = JSON.parse(line);
    yield { id, given, expected: refused === true ? undefined : outcomes };
  }
}

function readHashed(file, hash) {
  const bytes = readFileSync(file);
  if (createHash('sha256').update(bytes).digest('hex') !== hash)
    throw new Error(`${file} does not have the SHA-256 that the manifest states`);
  return bytes;
}

function giveSet(files, { kind, files: own, vkeys, log }, change) {
  const bytesOf = (name, path) => (change?.file === name ? applyChange(files.get(path), change) : files.get(path));
  const encode = (encoding) => (bytes) => bytes?.toString(encoding);
  const all = (paths, prefix, asText) =>
    Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, asText(bytesOf(`${prefix}${name}`, path))]));
  return {
    kind,
    files: all(own, '', encode('utf8')),
    ...(vkeys === undefined ? {} : { vkeys }),
    // JSON leaves out a tile that is undefined: a copy of the log without it.
    ...(log === undefined ? {} : { log: all(log, 'log/', encode('base64')) }),
  };
}

/** A file with other bytes from `start` to `end`; undefined for one that is removed. */
function applyChange(bytes, { start, end, text, hex, removed }) {
  if (removed === true) return undefined;
  const other = hex === undefined ? Buffer.from(text, 'utf8') : Buffer.from(hex, 'hex');
  return Buffer.concat([bytes.subarray(0, start), other, bytes.subarray(end)]);
}

/** What differs between a verdict and the expected one, in words. Checks that the suite does not name are ignored. */
function compare(expected, verdict) {
  if (expected === undefined) return verdict.refused === true ? [] : ['must be refused'];
  if (verdict.refused === true) return ['is refused, and must be judged'];
  return Object.entries(expected)
    .filter(([name, outcome]) => verdict.outcomes?.[name] !== outcome)
    .map(([name, outcome]) => `${name} is ${verdict.outcomes?.[name] ?? 'absent'}, and must be ${outcome}`);
}

/**
 * Runs a command over the suite. Resolves to the number of cases and to what differs. Rejects if the command ends
 * early or writes anything but verdicts.
 */
export async function runSuite(command, args, { only, suite, env } = {}) {
  const cases = [...readCases(suite)].filter(({ id }) => only === undefined || id.includes(only));
  const differences = [];
  let count = 0;
  for await (const verdict of judgeBy(command, args, cases, env)) {
    const one = cases[count++];
    for (const difference of compare(one.expected, verdict)) differences.push(`${one.id}: ${difference}`);
  }
  return { count, differences };
}

/** The same over every version of the suite. */
async function runSuites(command, args, options) {
  const results = [];
  for (const version of SUITES)
    results.push(await runSuite(command, args, { ...options, suite: join(FOLDER, version) }));
  return {
    count: results.reduce((sum, { count }) => sum + count, 0),
    differences: results.flatMap(({ differences }) => differences),
  };
}

/** The verdict of a command on each case, in their order. */
export async function* judgeBy(command, args, cases, env = process.env) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) => resolve(`exit code ${code}`));
  });
  // A command that does not read on has ended early, which is reported below.
  const feeding = pipeline(Readable.from(formatLines(cases)), child.stdin).catch(() => {});
  let count = 0;
  try {
    for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
      count += 1;
      if (count > cases.length) throw new Error('the command writes more verdicts than there are cases');
      yield parseVerdict(line);
    }
  } finally {
    child.kill();
  }
  const end = await ended;
  await feeding;
  if (count < cases.length)
    throw new Error(`the command ended with ${count} of ${cases.length} verdicts written: ${end}`);
}

function* formatLines(cases) {
  for (const { given } of cases) yield `${JSON.stringify(given)}\n`;
}

function parseVerdict(line) {
  try {
    const verdict = JSON.parse(line);
    if (typeof verdict === 'object' && verdict !== null) return verdict;
  } catch {
    // It is reported below.
  }
  throw new Error(`the command wrote a line that is not a verdict: ${line.slice(0, 200)}`);
}

async function main(argv) {
  const end = argv.indexOf('--');
  const [command, ...args] = end < 0 ? [] : argv.slice(end + 1);
  const own = end < 0 ? argv : argv.slice(0, end);
  if (command === undefined || (own.length > 0 && (own[0] !== '--only' || own.length !== 2))) {
    console.error('usage: node run.mjs [--only TEXT] -- COMMAND [ARGUMENTS]');
    return 2;
  }
  try {
    const { count, differences } = await runSuites(command, args, { only: own[1] });
    for (const difference of differences.slice(0, SHOWN_MAX)) console.log(difference);
    console.log(`${count} cases, ${differences.length} differences`);
    return differences.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
}

if (process.argv[1] !== undefined && fileURLToPath(import.meta.url) === process.argv[1])
  process.exitCode = await main(process.argv.slice(2));
