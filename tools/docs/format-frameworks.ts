import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Framework, readExpected } from '../otlp-recordings/read-recordings.ts';
import { formatTable } from './format-table.ts';
import { wrap } from './wrap.ts';

const FOLDER = join(import.meta.dirname, '../otlp-recordings');

/** docs/otlp-frameworks.md: what the recordings of instrumentations show, with their versions and set-up. */
export function formatFrameworks(): string {
  const frameworks = Object.entries(readExpected()).map(([program, framework]) => {
    return { ...framework, source: readSource(program) };
  });
  const rows = frameworks.map(({ title, scenarios }) => [title, ...formatRow(scenarios)]);
  return `# Frameworks and OpenTelemetry

<!-- Made from tools/otlp-recordings by \`npm run docs:generate\`. Do not edit. -->

Each instrumentation on this page was run unmodified against a model of the tests, in the versions named below, and the
requests of its exporter were recorded. The tests map these recordings and compare question, answer, sources and tools.
System prompts, results and arguments of tools, and documents contained a word that no record may contain.
[OpenTelemetry](otlp.md) says what is read in general, and how to configure an exporter.

Not recorded: of Go, Google's Agent Development Kit, OpenInference, OpenLLMetry, OpenLIT, LangWatch, Braintrust and
tRPC-Agent; of Java, OpenInference for LangChain4j and Spring AI, LangChain4j's observations, Embabel's observability
and Genkit. What they send is read by the same conventions, and
[\`otel explain\`](otlp.md#explaining-a-request) shows what becomes of a request of any framework.

The columns say what a record gets: \`–\` means that the recordings do not show it. Tool calls are named with a hash of
their arguments: *requested* by the model, *executed* by the framework.

${formatTable(['instrumentation', 'question and answer', 'of a conversation', 'streamed', 'tool calls', 'sources'], rows)}

${frameworks.map(formatFramework).join('\n\n')}
`;
}

/** Scenarios that give the model the history of a conversation. */
const WITH_HISTORY: ReadonlySet<string> = new Set(['conversation', 'agent', 'agent_with_history', 'agent_with_memory']);
/** Scenarios that retrieve documents. */
const WITH_RETRIEVAL: ReadonlySet<string> = new Set([
  'graph_with_retrieval',
  'query_engine',
  'retrieval',
  'observed',
  'traced',
]);

/** A scenario in which the model is given instructions alone. */
const ASKED_BY_NOBODY = 'system_only';

function formatRow(scenarios: Framework['scenarios']): readonly string[] {
  const names = Object.keys(scenarios);
  const records = Object.values(scenarios).flat();
  const isWhole = names.every((name) => name === ASKED_BY_NOBODY || isRight(scenarios[name] ?? []));
  const steps = [...new Set(records.flatMap(({ tools = [] }) => tools.map((tool) => tool.split(' ').at(-1) ?? '')))];
  const sources = records.flatMap(({ sources: found = [] }) => found);
  const retrieves = names.some((name) => WITH_RETRIEVAL.has(name));
  return [
    isWhole ? 'yes' : 'yes, with exceptions',
    names.some((name) => WITH_HISTORY.has(name)) ? 'the last message' : '–',
    names.some((name) => name.includes('streamed')) ? 'yes' : '–',
    steps.length === 0 ? '–' : steps.sort().reverse().join(', '),
    sources.length > 0 ? formatSources(sources.join(' ')) : retrieves ? 'none' : '–',
  ];
}

/** A scenario that should leave no record, such as a refused question, leaves none. */
function isRight(records: Framework['scenarios'][string]): boolean {
  return records.length === 0 || records.some(({ question, answer }) => question !== null && answer !== null);
}

function formatSources(found: string): string {
  const named = found.split(' ').every((word) => word.startsWith('sha256:')) ? 'hash' : 'name';
  return [named, ...(found.includes('<') ? ['address'] : []), ...(/> [\d.]/.test(found) ? ['score'] : [])].join(', ');
}

function formatFramework({ title, notes = [], source }: Framework & { readonly source: Source }): string {
  const example = `\`\`\`${source.language}\n${source.lines}\n\`\`\``;
  return [
    `## ${title}`,
    wrap(`Tried with ${source.packages.join(', ')}.`),
    ...notes.map((note) => wrap(note)),
    example,
  ].join('\n\n');
}

/** What a program is made of: its packages with their versions, and the lines that an application needs too. */
type Source = {
  readonly language: 'python' | 'js' | 'java' | 'kotlin' | 'go';
  readonly packages: readonly string[];
  readonly lines: string;
};

/** Packages that every program needs, whatever it instruments, or that stand in for what an instrumentation forgot. */
const ANYWAY =
  /^`?(?:opentelemetry-(?:sdk|exporter)|@opentelemetry\/(?:sdk|exporter)|go\.opentelemetry\.io|httpx|mcp|zod|node:|importlib)/;

/** Programs in Python that run another one, with packages of their own. */
type Variants = Readonly<Record<string, { readonly runs: string; readonly packages: readonly string[] } | undefined>>;
const variants = JSON.parse(findText('python/variants.json') ?? '{}') as Variants;

/** The name of a package, without the version that it is pinned to. */
function nameOf(pinned: string): string {
  return pinned.replace(/==.*/, '');
}

function readSource(program: string): Source {
  const variant = variants[program];
  const python = findText(`python/${variant?.runs ?? program}.py`);
  if (python !== undefined) {
    const own = variant?.packages ?? [];
    const shared = [...python.matchAll(/^# {3}"([^"]+)",$/gm)].map(([, pinned = '']) => pinned);
    const others = shared.filter((pinned) => own.every((one) => nameOf(one) !== nameOf(pinned)));
    const packages = [...own, ...others].map((pinned) => pinned.replace(/^(.*)==/, '`$1` '));
    return {
      language: 'python',
      packages: packages.filter((name) => !ANYWAY.test(name)),
      lines: findLines(python, 'python'),
    };
  }
  const [java] = globSync(`java/${program}/*.{java,kt}`, { cwd: FOLDER });
  if (java !== undefined) {
    const language = java.endsWith('.kt') ? 'kotlin' : 'java';
    const lines = shiftLeft(findLines(findText(java) ?? '', 'java'));
    return { language, packages: readPom(findText(`java/${program}/pom.xml`) ?? ''), lines };
  }
  const go = findText(`go/${program}/main.go`);
  if (go !== undefined) {
    const packages = readGoModule(findText(`go/${program}/go.mod`) ?? '');
    return { language: 'go', packages, lines: findLines(go, 'go').replaceAll(/^\t/gm, '') };
  }
  const node = findText(`node/${program}.mjs`) ?? '';
  const { dependencies } = JSON.parse(findText('node/package.json') ?? '') as { dependencies: Record<string, string> };
  const imported = [
    ...node.matchAll(/(?:from |import\(|\brequire\()'(node:|@[^/']+\/[^/']+|[^'./@][^/']*)[^']*'/g),
  ].map(([, name = '']) => name);
  const packages = [...new Set(imported)]
    .filter((name) => !ANYWAY.test(name))
    .map((name) => {
      // An alias, such as that of an older version, is `npm:<name>@<version>`.
      const version = dependencies[name] ?? '';
      return version.startsWith('npm:') ? version.replace(/^npm:(.*)@/, '`$1` ') : `\`${name}\` ${version}`;
    });
  return { language: 'js', packages, lines: withoutAliases(findLines(node, 'node'), dependencies) };
}

/** Lines that import what a reader installs by its own name: an alias stands for a version beside another one. */
function withoutAliases(lines: string, dependencies: Readonly<Record<string, string>>): string {
  return lines.replaceAll(/'([^']+)'/g, (whole, name: string) => {
    const [, real] = /^npm:(.*)@/.exec(dependencies[name] ?? '') ?? [];
    return real === undefined ? whole : `'${real}'`;
  });
}

/** Lines without the indentation that all but the first have in common. */
function shiftLeft(lines: string): string {
  const depths = [...lines.matchAll(/\n( *)(?=\S)/g)].map(([, spaces = '']) => spaces.length);
  return depths.length === 0 ? lines : lines.replaceAll(new RegExp(`^ {${Math.min(...depths)}}`, 'gm'), '');
}

/** What a project of Maven takes that has a version there: its parent, its lists of versions, and packages. */
function readPom(pom: string): readonly string[] {
  const pattern = /<groupId>([^<]+)<\/groupId>\s*<artifactId>([^<]+)<\/artifactId>\s*<version>([^<]+)</g;
  return [...pom.matchAll(pattern)]
    .filter(([, group, artifact]) => group !== 'recorded' && artifact !== 'kotlin-compiler-embeddable')
    .map(([, , artifact = '', version = '']) => `\`${artifact}\` ${version}`);
}

/** What a module in Go requires itself, other than the module that the programs share. */
function readGoModule(text: string): readonly string[] {
  return [...text.matchAll(/^\t([\w./-]+\.[\w./-]+) v(\S+)$/gm)]
    .map(([, name = '', version = '']) => `\`${name}\` ${version}`)
    .filter((name) => !ANYWAY.test(name));
}

/** The marked lines of a program, or of the module of calls that it shares with others. */
function findLines(text: string, folder: 'python' | 'node' | 'java' | 'go'): string {
  const own = [...text.matchAll(/^[ \t]*(?:#|\/\/) docs: begin\n(.*?)\n[ \t]*(?:#|\/\/) docs: end$/gms)];
  if (own.length > 0) return own.map(([, lines = '']) => lines.replaceAll(/^ {2}(?=const)/gm, '').trim()).join('\n\n');
  const shared = /from '?(?:\.\/)?([\w-]+[_-]calls)(?:\.mjs)?'?/.exec(text)?.[1];
  const module =
    shared === undefined ? undefined : findText(`${folder}/${shared}.${folder === 'python' ? 'py' : 'mjs'}`);
  if (module === undefined) throw new Error('a program has no lines for the documentation');
  return findLines(module, folder);
}

function findText(path: string): string | undefined {
  const file = join(FOLDER, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
