/** The part of better-sqlite3 that is not JavaScript. */
export const NATIVE = 'better-sqlite3/build/Release/better_sqlite3.node'

/**
 * Parts of libraries that cost a command's start something and give it nothing, by their names and who asks for them:
 * looking for what is native in every folder where it could have been built; oclif's messages for those who develop oclif; the timer of
 * caches whose entries grow old, which ours do not.
 */
const INSTEAD = [
  { path: /^bindings$/, by: /better-sqlite3/, contents: `module.exports = () => require('${NATIVE}')` },
  {
    path: /^debug$/,
    by: /@oclif.core/,
    contents: `module.exports = (name) => (process.env.DEBUG ? require('debug')(name) : () => {})`,
  },
  { path: /^[.][/]perf[.]js$/, by: /lru-cache/, contents: 'exports.defaultPerf = Date' },
]

export const lean = {
  name: 'lean',
  setup(builder) {
    for (const { path: filter, by, contents } of INSTEAD) {
      builder.onResolve({ filter }, ({ importer }) =>
        by.test(importer) ? { path: contents, namespace: 'instead' } : undefined,
      )
    }
    builder.onLoad({ filter: /.*/, namespace: 'instead' }, ({ path }) => ({
      contents: path,
      resolveDir: '.',
    }))
    // One that publishes no diagnostics: nobody subscribes to them here.
    builder.onResolve({ filter: /^lru-cache$/ }, () =>
      builder.resolve('./node_modules/lru-cache/dist/esm/browser/index.js', {
        resolveDir: '.',
        kind: 'import-statement',
      }),
    )
    // As CommonJS all of it is one function that nobody calls before something is validated.
    builder.onResolve({ filter: /^zod$/ }, ({ path, resolveDir, kind }) =>
      kind === 'require-call' ? undefined : builder.resolve(path, { resolveDir, kind: 'require-call' }),
    )
  },
}
