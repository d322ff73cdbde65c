import ts from 'typescript';

/** A text that a problem can have, as the code makes it. */
export type ProblemText = {
  /** Where in the code. */
  readonly place: string;
  /** `placed`: the sentence of a problem whose faults are listed beside it, and the first one follows it. */
  readonly role: 'sentence' | 'placed' | 'fault';
  /** The codes that it can go with; of a fault, none. */
  readonly codes: readonly string[];
  readonly text: string;
};

/** Stands in a text for what only a running service knows. */
export const UNKNOWN = '…';
/** What becomes a problem: a code or a kind, and a text. */
const ERRORS: ReadonlySet<string> = new Set(['ServiceError', 'OtlpError']);
/** A function that a text comes through is followed so far. */
const DEPTH_MAX = 6;

/** Every text that the program gives to a `ServiceError`, or to an entry of its `errors`. */
export function readProblemTexts(program: ts.Program, isProduct: (path: string) => boolean): readonly ProblemText[] {
  const checker = program.getTypeChecker();
  const files = program.getSourceFiles().filter(({ fileName }) => isProduct(fileName));
  const read = createReader(checker, createFindCalls(checker, files));
  const found: ProblemText[] = [];
  const add = (role: ProblemText['role'], of: ts.Expression, codes: readonly string[]): void => {
    const file = of.getSourceFile();
    const place = `${file.fileName}:${file.getLineAndCharacterOfPosition(of.getStart()).line + 1}`;
    for (const text of new Set(read(of))) found.push({ place, role, codes, text });
  };
  for (const file of files)
    visit(file, (node) => {
      if (ts.isNewExpression(node) && ERRORS.has(node.expression.getText())) {
        const [code, detail, options] = node.arguments ?? [];
        if (code !== undefined && detail !== undefined)
          add(listsFaults(options) ? 'placed' : 'sentence', detail, read(code));
      }
      const detail = ts.isObjectLiteralExpression(node) ? detailOfFault(node) : undefined;
      if (detail !== undefined) add('fault', detail, []);
    });
  return found;
}

/** Of the options of a `ServiceError`. */
function listsFaults(options: ts.Expression | undefined): boolean {
  if (options === undefined || !ts.isObjectLiteralExpression(options)) return false;
  return options.properties.some(({ name }) => name?.getText() === 'errors');
}

/** The text of `{ pointer, detail }`, or of `{ fault }`, which becomes one. */
function detailOfFault({ properties }: ts.ObjectLiteralExpression): ts.Expression | undefined {
  const named = new Map(properties.map((property) => [property.name?.getText() ?? '', property]));
  const detail = named.has('pointer') ? named.get('detail') : named.get('fault');
  if (detail === undefined) return undefined;
  if (ts.isPropertyAssignment(detail)) return detail.initializer;
  return ts.isShorthandPropertyAssignment(detail) ? detail.name : undefined;
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

type Call = ts.CallExpression | ts.NewExpression;
/** The calls of a function that the program declares. */
type FindCalls = (of: ts.SignatureDeclaration) => readonly Call[];

/** Only calls by the function's own name are resolved: to resolve all calls of a program is most of checking it. */
function createFindCalls(checker: ts.TypeChecker, files: readonly ts.SourceFile[]): FindCalls {
  const byName = new Map<string, Call[]>();
  for (const file of files)
    visit(file, (node) => {
      if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return;
      const called = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
      if (!ts.isIdentifier(called) && !ts.isPrivateIdentifier(called)) return;
      const calls = byName.get(called.text);
      if (calls === undefined) byName.set(called.text, [node]);
      else calls.push(node);
    });
  return (of) =>
    (byName.get(nameOf(of) ?? '') ?? []).filter((call) => checker.getResolvedSignature(call)?.declaration === of);
}

/** What a function is called by, if it has a name: its own, that of its class, or of what holds it. */
function nameOf(of: ts.SignatureDeclaration): string | undefined {
  const named = ts.isConstructorDeclaration(of) || of.name === undefined ? of.parent : of;
  return 'name' in named ? (named.name as ts.Node | undefined)?.getText() : undefined;
}

/** Reads of an expression every text that it can be. */
function createReader(checker: ts.TypeChecker, findCalls: FindCalls): (of: ts.Expression) => readonly string[] {
  function read(of: ts.Expression, depth: number): readonly string[] {
    if (depth > DEPTH_MAX) return [UNKNOWN];
    const deeper = (one: ts.Expression): readonly string[] => read(one, depth + 1);
    if (ts.isStringLiteralLike(of)) return [of.text];
    if (ts.isParenthesizedExpression(of) || ts.isAsExpression(of)) return read(of.expression, depth);
    if (ts.isTemplateExpression(of))
      return of.templateSpans.reduce(
        (texts, { expression, literal }) => join(join(texts, deeper(expression)), [literal.text]),
        [of.head.text] as readonly string[],
      );
    if (ts.isConditionalExpression(of)) return [...read(of.whenTrue, depth), ...read(of.whenFalse, depth)];
    if (ts.isBinaryExpression(of)) return readBinary(of, deeper);
    if (ts.isIdentifier(of)) return of.text === 'undefined' ? [] : readName(of, deeper);
    if (ts.isElementAccessExpression(of) || ts.isPropertyAccessExpression(of)) return readMember(of, deeper);
    if (ts.isCallExpression(of)) return readResult(of, deeper);
    return [UNKNOWN];
  }

  function readBinary({ left, right, operatorToken }: ts.BinaryExpression, deeper: Reader): readonly string[] {
    if (operatorToken.kind === ts.SyntaxKind.PlusToken) return join(deeper(left), deeper(right));
    if (operatorToken.kind !== ts.SyntaxKind.QuestionQuestionToken) return [UNKNOWN];
    return [...deeper(left).filter((text) => text !== UNKNOWN), ...deeper(right)];
  }

  function readName(name: ts.Identifier, deeper: Reader): readonly string[] {
    let symbol = checker.getSymbolAtLocation(name);
    if (symbol !== undefined && ts.isShorthandPropertyAssignment(name.parent))
      symbol = checker.getShorthandAssignmentValueSymbol(name.parent);
    if (symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0) symbol = checker.getAliasedSymbol(symbol);
    const declaration = symbol?.valueDeclaration;
    if (declaration === undefined) return [UNKNOWN];
    if (ts.isVariableDeclaration(declaration) && declaration.initializer !== undefined) {
      const texts = deeper(declaration.initializer);
      return texts.join() === UNKNOWN ? readType(name) : texts;
    }
    if (!ts.isParameter(declaration)) return readType(name);
    const at = declaration.parent.parameters.indexOf(declaration);
    const given = findCalls(declaration.parent).map((call) => call.arguments?.[at]);
    const texts = given.flatMap((argument) => (argument === undefined ? [] : deeper(argument)));
    return texts.length === 0 ? readType(name) : texts;
  }

  /** The values of a table, or the literals that a type allows. */
  function readMember(of: ts.ElementAccessExpression | ts.PropertyAccessExpression, deeper: Reader): readonly string[] {
    const symbol = checker.getSymbolAtLocation(of.expression);
    const declaration = symbol?.valueDeclaration;
    if (
      declaration !== undefined &&
      ts.isVariableDeclaration(declaration) &&
      declaration.initializer !== undefined &&
      ts.isObjectLiteralExpression(declaration.initializer)
    )
      return declaration.initializer.properties.flatMap((property) =>
        ts.isPropertyAssignment(property) ? deeper(property.initializer) : [],
      );
    return readType(of);
  }

  function readResult(call: ts.CallExpression, deeper: Reader): readonly string[] {
    const declaration = checker.getResolvedSignature(call)?.declaration;
    const body = declaration !== undefined && 'body' in declaration ? declaration.body : undefined;
    if (body === undefined || declaration?.getSourceFile().isDeclarationFile === true) return [UNKNOWN];
    if (!ts.isBlock(body)) return deeper(body);
    const texts: string[] = [];
    visit(body, (node) => {
      if (ts.isReturnStatement(node) && node.expression !== undefined) texts.push(...deeper(node.expression));
    });
    return texts.length === 0 ? [UNKNOWN] : texts;
  }

  function readType(of: ts.Expression): readonly string[] {
    const type = checker.getNonNullableType(checker.getTypeAtLocation(of));
    const parts = type.isUnion() ? type.types : [type];
    const texts = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
    return texts.length === parts.length ? texts : [UNKNOWN];
  }

  return (of) => read(of, 0);
}

type Reader = (of: ts.Expression) => readonly string[];

/** Every beginning with every end. */
function join(beginnings: readonly string[], ends: readonly string[]): readonly string[] {
  return beginnings.flatMap((beginning) => ends.map((end) => beginning + end));
}
