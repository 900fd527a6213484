const process = require('node:process')

/** How mocha runs. Files that are named on the command line run alone. */
module.exports = {
  extension: ['ts'],
  require: ['./test/typescript.mjs', './test/support/hooks.ts'],
  spec: isNamed() ? [] : ['test/**/*.test.ts'],
  parallel: true,
  jobs: 2,
  reporter: './test/reporter.cjs',
  // The only limit there is: a test waits for what it waits for, and one that takes this long hangs.
  timeout: 15 * 60_000,
  'forbid-only': true,
  'forbid-pending': true,
}

function isNamed() {
  return process.argv.slice(2).some((word) => /^(\.\/)?test\/|\.test\.ts$/.test(word))
}
