const { appendFileSync } = require('node:fs')
const { join, relative } = require('node:path')
const process = require('node:process')
const { Runner } = require('mocha')
const ParallelBuffered = require('mocha/lib/nodejs/reporters/parallel-buffered.cjs')
const { cpuSeconds } = require('./cpu-seconds.cjs')
const { writeInnerErrors } = require('./inner-errors.cjs')

const { EVENT_RUN_END, EVENT_TEST_FAIL } = Runner.constants

/** What this worker had taken at the end of its last file; so loading a file counts, too. */
let taken = 0

/**
 * Mocha's reporter for worker processes. A worker sends only message and stack of an error, so inner errors are
 * added to the stack. What a file took is noted in the folder of the run.
 */
class WorkerReporter extends ParallelBuffered {
  constructor(runner, options) {
    super(runner, options)
    runner.on(EVENT_TEST_FAIL, (_test, error) => writeInnerErrors(error))
    runner.once(EVENT_RUN_END, () => {
      const now = cpuSeconds()
      const [file] = runner.suite.suites.map((suite) => suite.file)
      if (file) noteCost(relative(process.cwd(), file), now - taken)
      taken = now
    })
  }
}

function noteCost(file, seconds) {
  appendFileSync(join(process.env.PAYCTL_TEST_FOLDER, 'costs'), `${JSON.stringify({ file, seconds })}\n`)
}

module.exports = WorkerReporter
