/**
 * The directions of the house (docs/conventions.md, "Rooms"): data flows down, nothing below imports
 * anything above. Each room lists the rooms it may use; everything else in src/ is closed to it.
 */

/** Rooms that a room may import from. `…:types` opens it to `import type`, `…:lazily` to `await import()`. */
const mayUse = {
  schema: [],
  resources: ['schema'],
  model: ['resources:types', 'schema'],
  platform: ['schema'],
  gateways: ['schema', 'platform'],
  engine: ['model', 'resources', 'schema', 'platform'],
  domain: ['engine', 'model', 'resources', 'schema', 'gateways/contract', 'platform'],
  installation: ['engine', 'model', 'schema', 'platform'],
  http: ['app:types', 'domain', 'engine', 'model', 'schema', 'platform'],
  cli: [
    'app',
    'domain:lazily',
    'engine',
    'model',
    'gateways/registry',
    'resources',
    'schema',
    'platform',
    'http:lazily',
    'installation:lazily',
  ],
}

/** Libraries that belong to some rooms only, so that each has one home. */
const homes = {
  zod: 'src/model/input/read-input[.]ts',
  'better-sqlite3': 'src/engine/store/',
  'pg(-cursor)?': 'src/engine/store/',
  kysely: 'src/(engine|domain|installation)/',
  undici: 'src/platform/network/',
  nodemailer: 'src/platform/network/',
  'fastify|@fastify/[^/]+': 'src/http/',
  '@oclif/core': 'src/cli/',
  inquirer: 'src/cli/terminal/',
  'jq-wasm': 'src/cli/terminal/',
  conf: 'src/cli/terminal/',
  open: 'src/cli/terminal/',
  'csv-parse': 'src/cli/terminal/',
  stripe: 'src/gateways/stripe/',
  uqr: 'src/platform/',
}

/** The path pattern of a room: a folder, or one file such as app.ts. */
const place = (name) => `${name}(/|[.]ts$)`

const rooms = Object.entries(mayUse).flatMap(([room, uses]) => {
  const from = { path: `^src/${room}/` }
  const open = uses.map((use) => use.split(':')[0])
  const only = (mode) => uses.filter((use) => use.endsWith(`:${mode}`)).map((use) => place(use.split(':')[0]))
  const types = only('types')
  const lazily = only('lazily')
  return [
    {
      name: `${room}-uses-only-what-lies-below`,
      comment: `src/${room} may use: ${uses.join(', ') || 'nothing of ours'}.`,
      from,
      to: { path: '^src/', pathNot: `^src/(${[room, ...open].map(place).join('|')})` },
    },
    types.length > 0 && {
      name: `${room}-uses-types-only`,
      comment: 'Write `import type`: values of that room are handed in by src/app.ts.',
      from,
      to: { path: `^src/(${types.join('|')})`, dependencyTypesNot: ['type-only'] },
    },
    lazily.length > 0 && {
      name: `${room}-imports-lazily`,
      comment: 'Write `await import()` inside run(): starting must not load it.',
      from,
      to: { path: `^src/(${lazily.join('|')})`, dynamic: false, dependencyTypesNot: ['type-only'] },
    },
  ].filter(Boolean)
})

const libraries = Object.entries(homes).map(([library, home]) => ({
  name: `${library.replace(/\W+/g, '-')}-at-home`,
  comment: `Only ${home} may import ${library}.`,
  from: { path: '^src/', pathNot: `^${home}` },
  to: { path: `node_modules/(${library})/`, dependencyTypesNot: ['type-only'] },
}))

const asErrors = (rules) => rules.map((rule) => ({ severity: 'error', ...rule }))

module.exports = {
  forbidden: asErrors([
    ...rooms,
    ...libraries,
    {
      name: 'only-app-composes',
      comment: 'src/app.ts is the composition root; every other file lives in a room.',
      from: { path: '^src/[^/]+$', pathNot: '^src/app[.]ts$' },
      to: { path: '^src/' },
    },
    {
      name: 'declarations-are-plain-data',
      comment:
        'src/resources imports no library at all, so that commands derive from it without loading one.',
      from: { path: '^src/resources/' },
      to: { pathNot: '^src/' },
    },
    {
      name: 'fields-are-plain-data',
      comment: 'src/schema imports no library at all.',
      from: { path: '^src/schema/' },
      to: { pathNot: '^src/' },
    },
    {
      name: 'rules-do-not-touch-the-network',
      from: { path: '^src/(schema|resources|model|engine/core|engine/jobs|domain)/' },
      to: { path: '^(node:)?(https?|http2|net|tls|dgram|dns|child_process)$' },
    },
    {
      name: 'browser-code-runs-in-browsers',
      comment: 'src/http/browser has its own compiler options; it may use: schema, and types of libraries.',
      from: { path: '^src/http/browser/' },
      to: {
        pathNot: '^src/(http/browser|schema)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'browser-code-is-served-as-files',
      comment: 'Pages name a built file of it: src/http/html/built-file.ts.',
      from: { path: '^src/', pathNot: '^src/http/browser/' },
      to: { path: '^src/http/browser/' },
    },
    { name: 'no-cycles', from: { path: '^src/' }, to: { circular: true } },
    { name: 'no-unresolved-imports', from: {}, to: { couldNotResolve: true } },
    {
      name: 'shipped-code-needs-declared-packages',
      comment: 'Of the declared ones, those that are development dependencies are bundled.',
      from: { path: '^(src|bin)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'src-does-not-know-its-tests',
      from: { path: '^src/' },
      to: { path: '^(test|bench|simulation|scripts)/' },
    },
  ]),
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
}
