const { availableParallelism } = require('node:os')
const { longestFirst } = require('./test/longest-first.cjs')

/** How `npm test` runs. */
module.exports = {
  extension: ['ts'],
  require: ['./test/typescript.mjs', './test/support/hooks.ts'],
  spec: longestFirst('test'),
  // Suites with this tag in their title are left to `npm run test:rest`.
  grep: '^(?![^]*@rest)',
  parallel: true,
  jobs: Math.max(2, availableParallelism()),
  reporter: './test/reporter.cjs',
  // The only limit there is: a test waits for what it waits for, and one that takes this long hangs.
  timeout: 15 * 60_000,
  'forbid-only': true,
  'forbid-pending': true,
}
