/**
 * A plugin of esbuild for modules of Node. An ES module that imports one makes Node read each of its exports: those of
 * `node:http` load an HTTP client that nothing here uses, a tenth of the processor time of a start. Asked for in this
 * way, the modules that the filter names are left alone.
 */
export function unreadBuiltins(filter) {
  return {
    name: 'unread-builtins',
    setup(build) {
      build.onResolve({ filter }, ({ path, kind }) =>
        kind === 'dynamic-import'
          ? { external: true }
          : { path: path.startsWith('node:') ? path : `node:${path}`, namespace: BUILTIN },
      );
      build.onLoad({ filter: /./, namespace: BUILTIN }, ({ path }) => ({
        contents: `module.exports = process.getBuiltinModule('${path}');`,
      }));
    },
  };
}

/** What the names of such modules begin with among the inputs of a bundle. */
export const BUILTIN = 'builtin';
