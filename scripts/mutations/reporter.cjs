/**
 * Reporter for mocha. It prints the number of passed tests and the title of the first failed one, as one line of JSON.
 */
module.exports = class Outcome {
  constructor(runner) {
    let passed = 0
    let failed = null
    runner.on('pass', () => passed++)
    runner.on('fail', (test, error) => {
      failed ??= `${test.titlePath().join(' › ')}: ${error.message}`
    })
    runner.on('end', () => process.stdout.write(`\nOUTCOME ${JSON.stringify({ passed, failed })}\n`))
  }
}
