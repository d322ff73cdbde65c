import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { PROBLEM_ADVICE, PROBLEM_CODES, PROBLEM_TABLE } from '@answer-evidence/contracts';
import { findProblemFaults, findTextFaults } from '@answer-evidence/testing';
import { type ProblemText, readProblemTexts, UNKNOWN } from './read-texts.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** The client and the verifier run elsewhere, and give no problems. */
const NOT_PRODUCT = /\.test\.ts$|\/fixtures\/|^libs\/(?:testing|client|domain\/verify)\/|^(?!libs\/)/;

/** Texts that cannot be read from the code, each with what holds them instead. */
const MADE_ELSEWHERE = new Map([
  ['libs/contracts/src/problems.ts', 'the schema of a fault, which is no text'],
  ['libs/http-edge/src/http/schema-errors.ts', 'schema-errors.test.ts, and e2e/fuzz over every schema'],
  ['libs/http-edge/src/http/create-http-app.ts', 'path-hints.test.ts'],
  ['libs/http-edge/src/http/other-methods.ts', 'path-hints.test.ts'],
  ['libs/runtime/src/work/open-body-readers.ts', 'this test, where a thread makes it'],
  ['libs/stages/ingest/src/routes/create-record/handler.ts', 'this test, where `checkFields` makes it'],
  ['libs/stages/ingest/src/prepare/event-payload.ts', 'this test, where each `fault` is made'],
  ['libs/stages/workspace/src/approvals/acts.ts', 'this test, where what is placed elsewhere is made'],
  ['libs/stages/otlp/src/routes/read-batch.ts', 'this test, where each `OtlpError` is made'],
]);

/** Whether a text is one of them. */
function isMadeElsewhere({ place, text }: ProblemText): boolean {
  return text === UNKNOWN && MADE_ELSEWHERE.has(place.replace(/:\d+$/, ''));
}

let texts: readonly ProblemText[];
beforeAll(() => {
  const { config } = ts.readConfigFile(resolve(ROOT, 'tsconfig.json'), (path) => readFileSync(path, 'utf8'));
  const { fileNames, options } = ts.parseJsonConfigFileContent({ ...config, include: ['libs'] }, ts.sys, ROOT);
  // No text depends on the types of a browser, of Node or of another package, but of the schemas.
  const own = { ...options, lib: ['lib.es2024.d.ts'], types: [] };
  const host = ts.createCompilerHost(own);
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  const resolved = ts.createModuleResolutionCache(ROOT, (path) => path, own);
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) =>
      text.startsWith('.') || text.startsWith('@answer-evidence/') || text.startsWith('zod')
        ? ts.resolveModuleName(text, from, own, host, resolved)
        : { resolvedModule: undefined },
    );
  const program = ts.createProgram(
    fileNames.filter((path) => !/\.test\.ts$|\/(?:fixtures|testing)\//.test(path)),
    own,
    host,
  );
  texts = readProblemTexts(program, (path) => !NOT_PRODUCT.test(relative(ROOT, path))).map((text) => ({
    ...text,
    place: relative(ROOT, text.place),
  }));
}, 120_000);

/** Faults of texts, each with where it stands. */
function describeFaults(role: ProblemText['role'], find: (text: string) => readonly string[]): readonly string[] {
  const found = texts
    .filter((text) => text.role === role && !isMadeElsewhere(text))
    .flatMap(({ place, text }) => find(text).map((fault) => `${place}: ${fault}: ${text}`));
  return [...new Set(found)];
}

describe('every problem that the code can give', () => {
  it('can be read from the code', () => {
    const unread = texts.filter((text) => text.text === UNKNOWN && !isMadeElsewhere(text));
    expect(unread.map(({ place }) => place)).toEqual([]);
    expect(texts.length).toBeGreaterThan(250);
  });

  it('has every code at least once', () => {
    const used = new Set(texts.flatMap(({ codes }) => codes));
    expect(PROBLEM_CODES.filter((code) => !used.has(code))).toEqual([]);
  });

  it('is a sentence with a subject, a rule and a next step', () => {
    expect(describeFaults('sentence', findTextFaults)).toEqual([]);
    expect(describeFaults('fault', findTextFaults)).toEqual([]);
  });

  it('does not repeat its title', () => {
    const titles = new Set(Object.values(PROBLEM_TABLE).map(({ title }) => title.toLowerCase()));
    const isTitle = (text: string) => (titles.has(text.toLowerCase()) ? ['repeats a title'] : []);
    expect(describeFaults('sentence', isTitle)).toEqual([]);
  });

  it('has advice that says what to do', () => {
    const faults = Object.entries(PROBLEM_ADVICE).flatMap(([code, advice]) =>
      findTextFaults(advice).map((fault) => `${code}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });
});

describe('the style list', () => {
  const good = { title: 'Not found', errors: [] };

  it.each([
    ['Invalid input: expected object, received string.', /words of a program/],
    ['No such record.', /does not say what to do/],
    ['Not found.', /repeats the title/],
    ['The run is damaged (StoredDamageError); tell the operator.', /words of a program/],
    [`The body must be ${'very '.repeat(100)}small.`, /longer than/],
    ['The body must be smaller', /no sentence/],
  ])('refuses "%s"', (detail, fault) => {
    expect(findProblemFaults({ ...good, detail }).join()).toMatch(fault);
  });

  it('holds the faults of a problem, too', () => {
    const errors = [{ pointer: '/question', detail: 'Required' }];
    expect(findProblemFaults({ ...good, detail: 'The body must be an object.', errors })).not.toEqual([]);
  });

  it('takes a sentence that ends the search', () => {
    const detail = 'The request body is invalid at /question: must be an object such as {"text": "…"}.';
    expect(findProblemFaults({ ...good, detail })).toEqual([]);
  });
});
