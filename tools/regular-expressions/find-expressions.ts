import ts from 'typescript';

/** A regular expression in a source file. */
export type Expression = { readonly source: string; readonly flags: string; readonly place: string };
/** What a file has of them: literals, and the lines on which others are made of texts. */
type FoundExpressions = { readonly literals: readonly Expression[]; readonly made: readonly MadeExpression[] };
/** `new RegExp(…)`: at the top of its module, so that importing it shows what it is, or not. */
export type MadeExpression = { readonly place: string; readonly isAtTop: boolean };

/** The regular expressions of a file by its syntax tree; a place is `path:line`. */
export function findExpressions(path: string, text: string): FoundExpressions {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const literals: Expression[] = [];
  const made: MadeExpression[] = [];
  function visit(node: ts.Node, isAtTop: boolean): void {
    const place = `${path}:${String(file.getLineAndCharacterOfPosition(node.getStart()).line + 1)}`;
    if (ts.isRegularExpressionLiteral(node)) literals.push({ ...splitLiteral(node.text), place });
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(file) === 'RegExp')
      made.push({ place, isAtTop });
    ts.forEachChild(node, (child) => {
      visit(child, isAtTop && !ts.isFunctionLike(node));
    });
  }
  visit(file, true);
  return { literals, made };
}

function splitLiteral(text: string): { readonly source: string; readonly flags: string } {
  const end = text.lastIndexOf('/');
  return { source: text.slice(1, end), flags: text.slice(end + 1) };
}
