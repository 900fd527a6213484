/** The command from what the suite has compiled, file by file: no bundle, and nothing to compile. */
const { join } = require('node:path')
const { run } = require('../../../bin/dev.js')

void run(join(__dirname, '../../../node_modules/.cache/suite'), './src/cli/commands/main.js')
