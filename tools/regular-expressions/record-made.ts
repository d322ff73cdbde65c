/**
 * Prints the regular expressions that modules make of texts while they are loaded, as lines of JSON. Its arguments are
 * the modules.
 */
const Original = RegExp;
const made: { readonly source: string; readonly flags: string }[] = [];

globalThis.RegExp = new Proxy(Original, {
  construct(target, given: [string | RegExp, string?]) {
    const expression = new target(...given);
    made.push({ source: expression.source, flags: expression.flags });
    return expression;
  },
});

for (const module of process.argv.slice(2)) await import(module);
globalThis.RegExp = Original;
for (const expression of made) process.stdout.write(`${JSON.stringify(expression)}\n`);
