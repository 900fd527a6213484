const { Runner } = require('mocha')
const ParallelBuffered = require('mocha/lib/nodejs/reporters/parallel-buffered.cjs')
const { writeInnerErrors } = require('./inner-errors.cjs')

/** Mocha's own reporter of a worker, which sends of an error only its message and stack. */
class WorkerReporter extends ParallelBuffered {
  constructor(runner, options) {
    super(runner, options)
    runner.on(Runner.constants.EVENT_TEST_FAIL, (_test, error) => writeInnerErrors(error))
  }
}

module.exports = WorkerReporter
