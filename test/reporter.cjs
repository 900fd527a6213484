const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const process = require('node:process')
const { Runner, reporters } = require('mocha')
const { cpuSeconds } = require('./cpu-seconds.cjs')
const { writeInnerErrors } = require('./inner-errors.cjs')

const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS } = Runner.constants
const ROW_LENGTH = 60
/** How many of the files that took most are named. */
const NAMED = 5

/**
 * Prints a dot for each test, and the number of finished tests and files after each row. A failed test and its
 * message are printed at once, so that a run that is stopped has told them; the whole error is printed at the end.
 */
class Dots extends reporters.Base {
  constructor(runner, options) {
    super(runner, options)
    this.files = new Set()
    this.row = 0
    runner.on(EVENT_TEST_PASS, (test) => this.add('.', test))
    runner.on(EVENT_TEST_FAIL, (test, error) => {
      this.add('!', test)
      this.endRow()
      process.stdout.write(`failed: ${test.fullTitle()}: ${error.message}\n`)
    })
    runner.once(EVENT_RUN_END, () => {
      this.endRow()
      this.epilogue()
    })
  }

  add(mark, test) {
    this.files.add(test.file)
    process.stdout.write(mark)
    this.row++
    if (this.row === ROW_LENGTH) this.endRow()
  }

  endRow() {
    if (this.row === 0) return
    const { passes, failures } = this.stats
    const count = `${passes + failures} tests, ${this.files.size} of ${this.options.files.length} files`
    process.stdout.write(`${' '.repeat(ROW_LENGTH - this.row)} ${count}\n`)
    this.row = 0
  }
}

/** Prints names of tests instead of dots if `PAYCTL_TEST_NAMES` is set. */
const Progress = process.env.PAYCTL_TEST_NAMES ? reporters.Spec : Dots

/**
 * Reporter of the suite. For programs that read the output, the first line is the version of Node, and the last
 * one counts the tests.
 */
class SuiteReporter extends Progress {
  constructor(runner, options) {
    super(runner, options)
    process.stdout.write(`Node ${process.version}\n`)
    runner.on(EVENT_TEST_FAIL, (_test, error) => writeInnerErrors(error))
    if (runner.isParallelMode()) runner.workerReporter(require.resolve('./worker-reporter.cjs'))
  }

  epilogue() {
    super.epilogue()
    const { passes, failures, duration } = this.stats
    const costs = costsOfFiles()
    if (process.env.PAYCTL_TEST_COSTS) writeFileSync(process.env.PAYCTL_TEST_COSTS, JSON.stringify(costs))
    const slowest = costs.slice(0, NAMED).map(({ file, seconds }) => `${file} ${seconds.toFixed(0)} s`)
    process.stdout.write(
      `${count(passes)} passed, ${count(failures)} failed in ${count(duration / 1000)} s, ` +
        `${count(cpuOfRun(costs))} s of CPU${slowest.length > 0 ? `; slowest: ${slowest.join(', ')}` : ''}\n`,
    )
    process.stdout.write(`${passes} passed, ${failures} failed\n`)
  }
}

/** Seconds of CPU that each file took, as workers have noted them, the dearest first. */
function costsOfFiles() {
  return read(join(process.env.PAYCTL_TEST_FOLDER, 'costs'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .sort((a, b) => b.seconds - a.seconds)
}

/** Seconds of CPU of the whole run. Workers have ended by now, and with them the servers of which they told. */
function cpuOfRun(costs) {
  if (costs.length === 0) return cpuSeconds()
  const { user, system } = process.cpuUsage()
  return costs.reduce((sum, { seconds }) => sum + seconds, (user + system) / 1e6)
}

/** The text of a file; empty if there is none, as after a run without workers. */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function count(number) {
  return Math.round(number).toLocaleString('en')
}

module.exports = SuiteReporter
