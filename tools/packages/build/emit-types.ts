import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { standIn } from './stand-ins.ts';

/** The declarations of a package: text by path, both relative to the repository, and what its entries became. */
type Declarations = ReadonlyMap<string, string>;

/**
 * The declarations that the given source files lead to, through our own packages, so that they stand alone. What a zod
 * schema infers is written out, and the schemas themselves are left out: no zod is needed to read them.
 * Throws for a declaration that still names a package that is not in `external`.
 */
export function emitTypes(root: string, entries: readonly string[], external: readonly string[]): Declarations {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config as object;
  const options = { ...ts.parseJsonConfigFileContent(config, ts.sys, root).options, paths: findSources(root) };
  const program = ts.createProgram({
    rootNames: entries.map((entry) => join(root, entry)),
    options: {
      ...options,
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      // What is emitted is inferred anyway; whether the bodies of functions are right is said by the type check.
      noCheck: true,
      rootDir: root,
      outDir: root,
    },
  });
  const emitted = new Map<string, string>();
  program.emit(undefined, (path, text) => emitted.set(relative(root, path), text), undefined, true, {
    afterDeclarations: [(context) => (node) => writeOutInferred(program.getTypeChecker(), context, node)],
  });
  const kept = new Map<string, string>();
  const open = entries.map(toDeclaration);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const text = emitted.get(path);
    if (text === undefined) throw new Error(`${path} was not emitted`);
    if (kept.has(path)) continue;
    const { text: rewritten, imported } = rewriteSpecifiers(root, path, text, options, external);
    kept.set(path, standIn(rewritten));
    open.push(...imported);
  }
  return kept;
}

/** Where the sources of our packages are. Through the links in node_modules they would count as others' packages. */
function findSources(root: string): Record<string, string[]> {
  const paths: Record<string, string[]> = {};
  for (const file of globSync('{libs,packages}/{*,*/*}/package.json', { cwd: root })) {
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest;
    for (const [entry, target] of Object.entries(exports))
      paths[join(name, entry)] = [join(root, dirname(file), typeof target === 'string' ? target : target.default)];
  }
  return paths;
}

type Manifest = {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string | { readonly default: string }>>;
};

/** `libs/x/src/index.ts` becomes `libs/x/src/index.d.ts`. */
export function toDeclaration(path: string): string {
  return path.replace(/\.ts$/, '.d.ts');
}

function rewriteSpecifiers(
  root: string,
  path: string,
  text: string,
  options: ts.CompilerOptions,
  external: readonly string[],
) {
  const imported: string[] = [];
  const from = join(root, path.replace(/\.d\.ts$/, '.ts'));
  const rewritten = text.replace(
    /(\bfrom |\bimport\()(['"])([^'"]+)\2/g,
    (whole, before: string, quote: string, name: string) => {
      if (name.startsWith('node:') || external.includes(name)) return whole;
      const found = ts.resolveModuleName(name, from, options, ts.sys, undefined, undefined, ts.ModuleKind.ESNext);
      const file = found.resolvedModule && relative(root, found.resolvedModule.resolvedFileName);
      if (file === undefined || file.includes('node_modules') || file.startsWith('..'))
        throw new Error(`the declarations of ${path} name ${name}, which the package does not bring`);
      imported.push(toDeclaration(file));
      const target = relative(dirname(path), file).replace(/\.ts$/, '.js');
      return `${before}${quote}${target.startsWith('.') ? target : `./${target}`}${quote}`;
    },
  );
  return { text: rewritten, imported };
}

function writeOutInferred(
  checker: ts.TypeChecker,
  context: ts.TransformationContext,
  node: ts.SourceFile | ts.Bundle,
): ts.SourceFile | ts.Bundle {
  if (!ts.isSourceFile(node) || !importsZod(node)) return node;
  let comment: string | undefined;
  const dropped = new Set<string>();
  const statements = node.statements.flatMap((statement): readonly ts.Statement[] => {
    if (isZodImport(statement)) return [];
    if (!names(statement, dropped)) return [statement];
    if (!ts.isTypeAliasDeclaration(statement)) {
      if (ts.isVariableStatement(statement))
        for (const { name } of statement.declarationList.declarations) dropped.add(name.getText());
      comment = findComment(node, statement);
      return [];
    }
    const original = ts.getParseTreeNode(statement, ts.isTypeAliasDeclaration);
    if (original === undefined) throw new Error(`${statement.name.text} has no source`);
    const type = checker.typeToTypeNode(
      checker.getTypeAtLocation(original.name),
      original,
      ts.NodeBuilderFlags.NoTruncation |
        ts.NodeBuilderFlags.InTypeAlias |
        ts.NodeBuilderFlags.UseSingleQuotesForStringLiteralType,
    );
    if (type === undefined) throw new Error(`${statement.name.text} cannot be written out`);
    // Schemas themselves, which only what was left out is made of.
    if (names(type, dropped)) {
      dropped.add(statement.name.text);
      return [];
    }
    const { modifiers, name, typeParameters } = statement;
    const written = context.factory.updateTypeAliasDeclaration(statement, modifiers, name, typeParameters, type);
    // A schema is documented, and the type that follows it has no comment of its own.
    if (comment !== undefined && findComment(node, statement) === undefined)
      ts.addSyntheticLeadingComment(written, ts.SyntaxKind.MultiLineCommentTrivia, comment, true);
    comment = undefined;
    return [written];
  });
  // A file of which nothing is left is a module still.
  const { factory } = context;
  const empty = factory.createExportDeclaration(undefined, false, factory.createNamedExports([]));
  return factory.updateSourceFile(node, statements.length > 0 ? statements : [empty]);
}

/** The documentation of a statement, without the signs around it. */
function findComment(file: ts.SourceFile, statement: ts.Statement): string | undefined {
  const original = ts.getOriginalNode(statement);
  const ranges = ts.getLeadingCommentRanges(file.text, original.getFullStart()) ?? [];
  return ranges.map(({ pos, end }) => file.text.slice(pos + 2, end - 2)).findLast((text) => text.startsWith('*'));
}

function importsZod(file: ts.SourceFile): boolean {
  return file.statements.some(isZodImport);
}

function isZodImport(statement: ts.Statement): boolean {
  return (
    ts.isImportDeclaration(statement) &&
    ts.isStringLiteral(statement.moduleSpecifier) &&
    statement.moduleSpecifier.text === 'zod'
  );
}

/** Whether something below is of zod, which is imported as `z` everywhere, or is the type of what was left out. */
function names(node: ts.Node, dropped: ReadonlySet<string>): boolean {
  if (ts.isQualifiedName(node) && leftmost(node) === 'z') return true;
  if (ts.isTypeQueryNode(node) && dropped.has(leftmost(node.exprName))) return true;
  if (ts.isTypeReferenceNode(node) && dropped.has(leftmost(node.typeName))) return true;
  return ts.forEachChild(node, (child) => names(child, dropped) || undefined) ?? false;
}

function leftmost(name: ts.EntityName): string {
  return ts.isIdentifier(name) ? name.text : leftmost(name.left);
}
