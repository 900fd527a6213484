import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'esbuild'
import { late } from './bundle/late.mjs'
import { lean } from './bundle/lean.mjs'
import { readOnly } from './bundle/read-only.mjs'

/** Stay packages of their own: native, or read their own files. All are CommonJS and loaded when first needed. */
const EXTERNAL = [
  'better-sqlite3',
  'fastify',
  '@fastify/*',
  'pino',
  'pg',
  'pg-cursor',
  'pg-native',
  'undici',
  'jq-wasm',
]

/**
 * What is loaded only for what this program does not do: other ways of finding commands, timing, naming the
 * shell on Windows (oclif falls back to COMSPEC), turning wheels, messages of zod in other languages.
 */
const UNUSED = [
  {
    path: /^(typescript|ts-node|tsx|tinyglobby|lilconfig|minimatch|wsl-utils)$/,
    by: /@oclif.core/,
  },
  { path: /^node:(child_process|perf_hooks)$/, by: /@oclif.core/ },
  { path: /^cli-spinners$/, by: /@oclif.core/ },
  { path: /[/]locales[/]index[.]c?js$/, by: /node_modules.zod/ },
]

const nothing = {
  name: 'nothing',
  setup(builder) {
    for (const { path: filter, by } of UNUSED) {
      builder.onResolve({ filter }, ({ path, importer }) =>
        by.test(importer) ? { path, namespace: 'nothing' } : undefined,
      )
    }
    builder.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'module.exports = {}' }))
  },
}

/**
 * One measure of width: the libraries that bring an own `string-width` get the one of `width.ts`, and that one loads
 * the library when it first meets a text that needs it, which is seldom: loading it takes longer than drawing a table.
 */
const measure = {
  name: 'measure',
  setup(builder) {
    const ours = resolve('src/cli/terminal/output/width.ts')
    builder.onResolve({ filter: /^string-width$/ }, ({ path, importer, pluginData }) =>
      pluginData === measure ? undefined : { path: importer === ours ? 'late' : 'ours', namespace: path },
    )
    builder.onResolve({ filter: /^late$/, namespace: 'string-width' }, ({ resolveDir }) =>
      builder.resolve('string-width', { resolveDir, kind: 'require-call', pluginData: measure }),
    )
    builder.onLoad({ filter: /^late$/, namespace: 'string-width' }, () => ({
      contents: `module.exports = (text) => require('late').default(text)`,
      resolveDir: '.',
    }))
    builder.onLoad({ filter: /^ours$/, namespace: 'string-width' }, () => ({
      contents: `module.exports = require(${JSON.stringify(ours)}).widthOf`,
      resolveDir: '.',
    }))
  },
}

/** Libraries that are large and seldom asked for, so that each is a file of its own: prompts, kept profiles, opening a browser. */
const SELDOM = ['inquirer', 'conf', 'open']

const apart = {
  name: 'apart',
  setup(builder) {
    builder.onResolve({ filter: new RegExp(`^(${SELDOM.join('|')})$`) }, ({ path }) => ({
      path: `./${path}.cjs`,
      external: true,
    }))
  },
}

/** Rails that leave the machine, by their kinds: each is a file of its own with the library that it brings. */
const RAILS = readdirSync('src/gateways').filter((kind) => existsSync(`src/gateways/${kind}/${kind}-rail.ts`))

const railsApart = {
  name: 'rails',
  setup(builder) {
    builder.onResolve({ filter: /^[.][.][/]\w+[/]\w+-rail[.]js$/ }, ({ path }) => ({
      path: path.replace(/^.*[/](\w+-rail)[.]js$/, './$1.cjs'),
      external: true,
    }))
  },
}

/** Where a module is, which CommonJS says otherwise. */
const HERE = {
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href" },
}

/** CommonJS as `import x from` sees it: what the library exports by default is the module. */
const defaultOf = (name) => ({ contents: `module.exports = require('${name}').default`, resolveDir: '.' })

/**
 * The program as a function of what a module is given: bin/run.js gets the function itself, as wrapping it there would copy the
 * whole text; who requires the file gets the module.
 */
const GIVEN = 'exports,require,module,__filename,__dirname'
const AS_FUNCTION = {
  banner: { js: `(typeof module==="undefined"?(run)=>run:(run)=>run(${GIVEN}))((${GIVEN})=>{` },
  footer: { js: '})' },
}

const options = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  supported: { 'dynamic-import': false },
  minify: !process.env.PAYCTL_READABLE,
  charset: 'ascii',
  legalComments: 'none',
  logLevel: 'warning',
}

/**
 * The whole program as one CommonJS file, and once more what it takes to show one object, which is less than half of it;
 * prompts beside them. An `import()` becomes a module that is evaluated when it is reached; ASCII only, so that bin/run.js can read it without
 * decoding.
 */
export async function bundle(folder) {
  const outfile = `${folder}/payctl.cjs`
  const plugins = [nothing, measure, apart, railsApart, lean, late]
  const program = { ...options, ...AS_FUNCTION, external: EXTERNAL }
  await build({ ...program, entryPoints: ['src/cli/commands/main.ts'], plugins, outfile })
  await build({
    ...{ ...program, outfile: `${folder}/show-one.cjs` },
    entryPoints: ['src/cli/commands/show-one.ts'],
    plugins: [readOnly, ...plugins],
  })
  await build({
    ...{ ...options, external: EXTERNAL, outfile: `${folder}/list-thread.cjs` },
    entryPoints: ['src/cli/threads/list-thread.ts'],
    plugins: [nothing, railsApart, lean],
  })
  for (const kind of RAILS)
    await build({
      ...{ ...options, external: EXTERNAL, outfile: `${folder}/${kind}-rail.cjs` },
      entryPoints: [`src/gateways/${kind}/${kind}-rail.ts`],
    })
  for (const name of SELDOM)
    await build({ ...options, ...HERE, stdin: defaultOf(name), outfile: `${folder}/${name}.cjs` })
  return outfile
}
