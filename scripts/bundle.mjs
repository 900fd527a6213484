import { isAscii } from 'node:buffer'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { build } from 'esbuild'

/**
 * Packages that are not bundled, because they are large or read their own files: the dependencies in package.json.
 * `pg-native`, which `pg` tries to load, is not used.
 */
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const EXTERNAL = [...Object.keys(dependencies), 'pg-native']

/**
 * Modules that are replaced by empty ones, because payctl does not use them: other ways of finding commands, timing,
 * and zod's messages in other languages. Also the detection of the shell on Windows; oclif then uses COMSPEC.
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
 * Replaces every library's `string-width` by our `width.ts`. That file loads the real library only for a text that
 * needs it, because loading takes longer than drawing a table.
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
 * Large, rarely used libraries for prompts, stored profiles, and opening a browser. Each is bundled into a separate
 * file.
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

/** Names of the remote rails. Each is bundled with its library into a separate file. */
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
 * Replaces non-ASCII characters by escapes before esbuild reads the source: esbuild keeps them in regular expressions
 * and tagged templates. An escape has the same meaning there, in texts and in names.
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

/** Options that replace `import.meta.url`, which CommonJS does not have. */
const HERE = {
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href" },
}

/** A CommonJS module whose value is the default export of a library. */
const defaultOf = (name) => ({ contents: `module.exports = require('${name}').default`, resolveDir: '.' })

/**
 * Wraps the program into a function of its module variables. `bin/run.js` uses this function, because wrapping it there
 * would copy the whole text. Code that requires the file gets a normal module.
 */
const GIVEN = 'exports,require,module,__filename,__dirname'
const AS_FUNCTION = {
  banner: { js: `(typeof module==="undefined"?(run)=>run:(run)=>run(${GIVEN}))((${GIVEN})=>{` },
  footer: { js: '})' },
}

const options = {
  bundle: true,
  // What `createRequire` takes is a path, too.
  define: { 'import.meta.url': '__filename' },
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
 * Bundles the whole program into one CommonJS file, with its hash at the end. Rarely used modules, and modules of
 * threads, are separate files. A module behind `import()` is evaluated when the call is reached. The file is ASCII, so
 * it can be read without decoding. Returns the path of the file, and the paths of all sources.
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
      entryPoints: ['src/cli/list-threads/read-thread.ts'],
      plugins: [nothing, railsApart],
      outfile: `${folder}/read-thread.cjs`,
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
