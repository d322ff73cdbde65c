import { parseForESLint } from '@typescript-eslint/parser';
import { COLUMNS_MAX, NAME_RULES, PHRASE_RULES } from './rules.ts';

/** A line of a file that breaks a rule of prose, with what to do. */
type ProseFault = { readonly line: number; readonly fault: string };

type Line = { readonly line: number; readonly text: string };

/**
 * Faults of a file's prose: of comments and texts in code, and of everything outside of code blocks in Markdown; and of
 * names in code.
 */
export function findFaults(file: string, content: string): readonly ProseFault[] {
  const names = /\.(?:ts|mjs)$/.test(file) ? findNames(content) : [];
  return [...names, ...findProse(file, content)].sort((a, b) => a.line - b.line);
}

function findNames(content: string): readonly ProseFault[] {
  if (judge(NAME_RULES, { line: 1, text: content }).length === 0) return [];
  return content.split('\n').flatMap((text, n) => judge(NAME_RULES, { line: n + 1, text }));
}

function findProse(file: string, content: string): readonly ProseFault[] {
  const lines = content.split('\n').map((text, n) => ({ line: n + 1, text }));
  // Most files have nothing that could be a fault, and telling code from prose takes a parser.
  if (!lines.some((line) => judgeWidth(line).length > 0) && judgeWords({ line: 1, text: content }).length === 0)
    return [];
  const { wide, worded } = proseOf(file, content, lines);
  return [...wide.flatMap(judgeWidth), ...worded.flatMap(judgeWords)];
}

/** The lines whose width counts, and those whose words do. Tables of Markdown and texts in code cannot be wrapped. */
function proseOf(
  file: string,
  content: string,
  lines: readonly Line[],
): { wide: readonly Line[]; worded: readonly Line[] } {
  if (file.endsWith('.md')) {
    const prose = outsideFences(lines);
    return { wide: prose.filter(({ text }) => !text.trimStart().startsWith('|')), worded: prose };
  }
  if (!/\.(?:ts|mjs)$/.test(file)) {
    const comments = lines.filter(({ text }) => /^\s*(?:#|--)/.test(text));
    return { wide: comments, worded: comments };
  }
  const options = { comment: true, tokens: true, loc: true, range: true };
  const { ast } = parseForESLint(content, options);
  const commented = new Set(ast.comments.flatMap(({ loc }) => range(loc.start.line, loc.end.line)));
  const said = ast.tokens.filter(({ type }) => ['String', 'Template'].includes(type));
  const texts = file.endsWith('.test.ts') ? [] : said.map(({ loc, value }) => ({ line: loc.start.line, text: value }));
  const comments = lines.filter(({ line }) => commented.has(line));
  return { wide: comments, worded: [...comments, ...texts] };
}

function outsideFences(lines: readonly Line[]): readonly Line[] {
  let isFenced = false;
  return lines.filter(({ text }) => {
    const isFence = /^\s*```/.test(text);
    if (isFence) isFenced = !isFenced;
    return !isFence && !isFenced;
  });
}

function judgeWidth({ line, text }: Line): readonly ProseFault[] {
  // Nearly every line; counting its characters one by one takes as long as all else here.
  if (text.length <= COLUMNS_MAX) return [];
  const columns = [...text].length;
  // A link or a path that is longer than a line has no place to break.
  const isOneWord = !/\S\s+\S/.test(text.replace(/^\s*(?:[-*/#]+|\d+\.)?\s*/, ''));
  if (columns <= COLUMNS_MAX || isOneWord) return [];
  return [{ line, fault: `has ${columns} columns; wrap it at ${COLUMNS_MAX}` }];
}

function judgeWords(line: Line): readonly ProseFault[] {
  return judge(PHRASE_RULES, line);
}

function judge(rules: typeof PHRASE_RULES, { line, text }: Line): readonly ProseFault[] {
  return rules.flatMap(({ phrase, instead }) => {
    const found = phrase.exec(text)?.[0];
    return found === undefined ? [] : [{ line, fault: `"${found}": write "${instead}"` }];
  });
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, n) => first + n);
}
