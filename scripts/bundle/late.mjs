import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { transform } from 'esbuild'

/** The terminal: one process runs one command of it. */
const TERMINAL = /[/]src[/]cli[/](commands|terminal)[/].*[.]ts$/

/**
 * Starting is part of using: what a file of the terminal imports, and what a file of oclif requires, is evaluated when it is
 * first used. Both are read as CommonJS that TypeScript and esbuild write, where what is required has a name of its own
 * (`errors_1`, `import_errors`). Only there: a call by way of an object costs more than a call.
 */
export const late = {
  name: 'late',
  setup(builder) {
    // A namespace of their own, where package.json does not say that they are ES modules.
    builder.onResolve({ filter: /[.](ts|js)$/ }, ({ path, resolveDir }) => {
      const file = resolve(resolveDir, path.replace(/[.]js$/, '.ts'))
      return TERMINAL.test(file) ? { path: file, namespace: 'late' } : undefined
    })
    builder.onLoad({ filter: /.*/, namespace: 'late' }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const { code } = await transform(text, { loader: 'ts', format: 'cjs', target: 'node22' })
      return {
        contents: entriesLate(exportsByName(requiredLate(code))),
        loader: 'js',
        resolveDir: dirname(path),
      }
    })
    builder.onLoad({ filter: /node_modules[/]@oclif[/]core[/]lib[/].*[.]js$/ }, async ({ path }) => {
      return { contents: requiredLate(await readFile(path, 'utf8')), loader: 'js' }
    })
    builder.onResolve({ filter: /^interop$/ }, ({ path }) => ({ path, namespace: 'interop' }))
    builder.onLoad({ filter: /.*/, namespace: 'interop' }, () => ({ contents: INTEROP }))
  },
}

/** What `import` sees of a CommonJS module. Inherits what there is, as reading `process.stdin` opens it. */
const INTEROP = `
exports.__toESM = (required) =>
  required?.__esModule ? required : Object.create(required, { default: { value: required } })
`

/** Everything required becomes an object that requires it when it is first used: `errors_1.late.CLIError`. */
function requiredLate(code) {
  const names = []
  const rest = code.replace(
    /^(?:const|var) (\w+_\d+|import_\w+|Errors|Parser) = (.*require\("[^"]+"\).*);$/gm,
    (_, name, required) => {
      names.push(name)
      return `const ${name}={get late(){const value=${required};Object.defineProperty(this,"late",{value});return value}};`
    },
  )
  return names.reduce(
    (text, name) =>
      text.replace(new RegExp(`(?<![\\w$]|[^.][.])${name}(?![\\w$]|=[{])`, 'g'), `${name}.late`),
    rest,
  )
}

/** The exports as one object, instead of what esbuild makes them of in each file. */
function exportsByName(code) {
  const [, list, rest] =
    /^__export\(stdin_exports, \{\n([\s\S]*?)\}\);\nmodule[.]exports = [^\n]*\n([\s\S]*)/m.exec(code) ?? []
  if (list === undefined) throw new Error('A file of the terminal exports nothing')
  const getters = list.replace(/^ *(\w+): \(\) => (.*?),?$/gm, 'get $1() { return $2 },')
  return `const { __toESM } = require('interop');\nmodule.exports = { __esModule: true, ${getters} };\n${rest}`
}

/** Entries of a table that are what was required become getters. */
function entriesLate(code) {
  return code.replace(/^( *)(\w+|"[^"]+"): (import_\w+[.]late[.]\w+)(,?)$/gm, '$1get $2() { return $3 }$4')
}
