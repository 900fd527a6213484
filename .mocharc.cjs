const { readdirSync } = require('node:fs')
const process = require('node:process')

/**
 * The files that take longest, each more than ten seconds of a processor. They run first, so that at the end no worker
 * waits for another that has just begun one.
 */
const LONGEST = [
  'gateways/contract/contract',
  'journeys/first-week',
  'engine/core/access/others',
  'crash/crash',
  'simulation/races',
  'fuzz/fuzz',
  'http/authorization',
  'cli/commands/remote',
  'cli/commands/batch-killed',
  'engine/core/access/keys',
  'simulation/simulation',
  'domain/billing/schedules/calendar',
  'simulation/answers',
  'cli/commands/unusable',
  'cli/commands/unusable-postgres',
  'engine/core/scope-limits',
  'engine/core/filter-matrix',
  'domain/funding/parts',
  'cli/commands/start',
  'hostile-load/hostile-load',
  'engine/core/scope-writes',
  'http/oauth/authorize-page',
  'browser/connect',
  'cli/commands/batch',
  'domain/verify/changes',
  'engine/core/endpoints/endpoints',
  'cli/commands/clock',
  'domain/webhooks/many',
].map((name) => `test/${name}.test.ts`)

/** How mocha runs. Files that are named on the command line run alone. */
module.exports = {
  extension: ['ts'],
  require: ['./test/typescript.mjs', './test/support/hooks.ts'],
  spec: isNamed() ? [] : [...LONGEST, ...others()],
  // The suites that `npm run test:rest` runs.
  grep: '^(?![^]*@rest)',
  parallel: true,
  jobs: 3,
  reporter: './test/reporter.cjs',
  // The only limit there is: a test waits for what it waits for, and one that takes this long hangs.
  timeout: 15 * 60_000,
  'forbid-only': true,
  'forbid-pending': true,
}

function isNamed() {
  return process.argv.slice(2).some((word) => /^(\.\/)?test\/|\.test\.ts$/.test(word))
}

function others() {
  return readdirSync('test', { recursive: true })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts') && !LONGEST.includes(file))
    .sort()
}
