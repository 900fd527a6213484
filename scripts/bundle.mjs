import { isAscii } from 'node:buffer'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { build } from 'esbuild'

/**
 * Packages that are not bundled, because they are large or read their own files: the dependencies in
 * package.json. `pg` looks for `pg-native`, which is not used.
 */
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const EXTERNAL = [...Object.keys(dependencies), 'pg-native']

/**
 * Modules that are loaded only for features that payctl does not use: other ways of finding commands, timing,
 * and messages of zod in other languages. Also the name of the shell on Windows, where oclif falls back to
 * COMSPEC.
 */
const UNUSED = [
  {
    path: /^(typescript|ts-node|tsx|tinyglobby|lilconfig|minimatch|wsl-utils)$/,
    by: /@oclif.core/,
  },
  { path: /^node:(child_process|perf_hooks)$/, by: /@oclif.core/ },
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
 * One implementation of text width: libraries with their own `string-width` get `width.ts` instead. That file
 * loads the library only for a text that needs it, because loading takes longer than drawing a table.
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

/**
 * Large libraries that are rarely used, each in its own file: prompts, stored profiles, opening a browser.
 */
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

/** Kinds of rails that call other machines: each is a file of its own with its library. */
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

/**
 * Replaces non-ASCII characters by escapes before esbuild reads the source, as esbuild keeps them in regular
 * expressions and tagged templates. An escape means the same there, in texts and in names.
 */
const ascii = {
  name: 'ascii',
  setup(builder) {
    builder.onLoad({ filter: /[.](?:ts|[cm]?js)$/ }, async ({ path }) => {
      const bytes = await readFile(path)
      if (isAscii(bytes)) return undefined
      const text = bytes.toString('utf8')
      const before = /\\[^\0-\x7f]/.exec(text)
      if (before) throw new Error(`${path} has a backslash before ${before[0].slice(1)}`)
      const contents = text.replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
    })
  },
}

/** The URL of a module, for which CommonJS has another expression. */
const HERE = {
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href" },
}

/** CommonJS for `import x from`: the default export of the library is the module. */
const defaultOf = (name) => ({ contents: `module.exports = require('${name}').default`, resolveDir: '.' })

/**
 * The program as a function of its module variables. bin/run.js gets the function itself, because wrapping it
 * there would copy the whole text. Code that requires the file gets the module.
 */
const GIVEN = 'exports,require,module,__filename,__dirname'
const AS_FUNCTION = {
  banner: { js: `(typeof module==="undefined"?(run)=>run:(run)=>run(${GIVEN}))((${GIVEN})=>{` },
  footer: { js: '})' },
}

const options = {
  bundle: true,
  external: EXTERNAL,
  metafile: true,
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
 * Bundles the whole program into one CommonJS file, with its hash at the end. Rarely used modules, and those
 * for threads, are separate files. An `import()` becomes a module that is evaluated when it is reached. The
 * file is ASCII, so it can be read without decoding. Returns the file, and the paths of all sources.
 */
export async function bundle(folder) {
  const outfile = `${folder}/payctl.cjs`
  const made = [
    await build({
      ...options,
      ...AS_FUNCTION,
      entryPoints: ['src/cli/commands/main.ts'],
      plugins: [nothing, measure, apart, railsApart, ascii],
      outfile,
    }),
    await build({
      ...options,
      entryPoints: ['src/cli/threads/list-thread.ts'],
      plugins: [nothing, railsApart],
      outfile: `${folder}/list-thread.cjs`,
    }),
  ]
  for (const kind of RAILS) {
    const entryPoints = [`src/gateways/${kind}/${kind}-rail.ts`]
    made.push(await build({ ...options, entryPoints, outfile: `${folder}/${kind}-rail.cjs` }))
  }
  for (const name of SELDOM)
    made.push(await build({ ...options, ...HERE, stdin: defaultOf(name), outfile: `${folder}/${name}.cjs` }))
  const program = await readFile(outfile)
  if (!isAscii(program))
    throw new Error(`${outfile} is not ASCII, and bin/bundle.js reads it without decoding`)
  const hash = createHash('sha256').update(program).digest('hex')
  await appendFile(outfile, `//${hash}`)
  return { outfile, inputs: made.flatMap(({ metafile }) => Object.keys(metafile.inputs)) }
}
