/**
 * Compiles the TypeScript files of the tests once into a cache folder, before mocha loads any of them. A module
 * loader would need no folder, but each `import()` would then cross to the loader’s thread and back. That took
 * a third of the suite’s time. In compiled files, `import.meta.url` is the URL of the source, and
 * `import.meta.filename` is the path of the compiled file.
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

// The main process compiles before it starts workers.
if (process.env.MOCHA_WORKER_ID === undefined) await compileAll()
process.setSourceMapsEnabled(true)
createRequire(import.meta.url).extensions['.ts'] = (module, source) => {
  module.exports = import(pathToFileURL(compiledOf(relative(root, source))).href)
}

async function compileAll() {
  // Compiled files are reused only with the same esbuild version, the same version of this script and the same
  // path.
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
  // Written under another name first, so that a parallel run never reads an incomplete file.
  const draft = `${output}.${process.pid}`
  writeFileSync(draft, code)
  utimesSync(draft, mtime, mtime)
  renameSync(draft, output)
}

function compiledOf(file) {
  return join(cache, file.replace(/\.ts$/, '.js'))
}

/** Paths of all files below a folder, relative to the root of the repository. */
function filesIn(folder) {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

function read(path) {
  return statSync(path, { throwIfNoEntry: false }) && readFileSync(path, 'utf8')
}
