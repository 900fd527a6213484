/** Runs payctl from the files that the suite has compiled, so that it needs neither a bundle nor a compiler. */
const { join } = require('node:path')
const { run } = require('../../../bin/dev.js')

void run(join(__dirname, '../../../node_modules/.cache/suite'), './src/cli/commands/main.js')
