/**
 * Compiles the TypeScript of mocha’s tests once into a folder of the cache, file by file, before any file is
 * loaded. A loader would need no folder. But then every `import()` of a request crosses to the loader’s
 * thread and back, which took a third of the suite’s time. `import.meta.url` is the path of the source;
 * `import.meta.filename` is the compiled file.
 */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transform, version } from 'esbuild'

const FOLDERS = ['src', 'test', 'simulation', 'bench', 'scripts', 'examples']
const root = fileURLToPath(new URL('..', import.meta.url))
const cache = join(root, 'node_modules', '.cache', 'suite')
const stamp = join(cache, 'package.json')

// Workers find it done by the process that starts them.
if (process.env.MOCHA_WORKER_ID === undefined) await compileAll()
process.setSourceMapsEnabled(true)
createRequire(import.meta.url).extensions['.ts'] = (module, source) => {
  module.exports = import(pathToFileURL(compiledOf(relative(root, source))).href)
}

async function compileAll() {
  // The folder is of use to the same compiler at the same place.
  const wanted = JSON.stringify({
    type: 'module',
    version: `${version} ${statSync(import.meta.filename).mtimeMs} ${root}`,
  })
  if (read(stamp) !== wanted) rmSync(cache, { recursive: true, force: true })
  const sources = FOLDERS.flatMap(filesIn).filter((file) => file.endsWith('.ts'))
  const expected = new Set(sources.map(compiledOf))
  mkdirSync(cache, { recursive: true })
  for (const file of filesIn(relative(root, cache)).map((name) => join(root, name)))
    if (file !== stamp && !expected.has(file)) rmSync(file)
  await Promise.all(sources.map(compile))
  writeFileSync(stamp, wanted)
}

async function compile(file) {
  const source = join(root, file)
  const output = compiledOf(file)
  const { mtime } = statSync(source)
  if (statSync(output, { throwIfNoEntry: false })?.mtime.getTime() === mtime.getTime()) return
  const { code } = await transform(readFileSync(source, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'node22',
    sourcemap: 'inline',
    sourcefile: source,
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(source).href) },
  })
  mkdirSync(dirname(output), { recursive: true })
  // Another run beside this one never reads half a file.
  const draft = `${output}.${process.pid}`
  writeFileSync(draft, code)
  utimesSync(draft, mtime, mtime)
  renameSync(draft, output)
}

function compiledOf(file) {
  return join(cache, file.replace(/\.ts$/, '.js'))
}

/** Paths from the root. */
function filesIn(folder) {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

function read(path) {
  return statSync(path, { throwIfNoEntry: false }) && readFileSync(path, 'utf8')
}
