const { Runner } = require('mocha')
const ParallelBuffered = require('mocha/lib/nodejs/reporters/parallel-buffered.cjs')
const { writeInnerErrors } = require('./inner-errors.cjs')

/**
 * Mocha's reporter for worker processes. A worker sends only message and stack of an error, so inner errors are
 * added to the stack.
 */
class WorkerReporter extends ParallelBuffered {
  constructor(runner, options) {
    super(runner, options)
    runner.on(Runner.constants.EVENT_TEST_FAIL, (_test, error) => writeInnerErrors(error))
  }
}

module.exports = WorkerReporter
