const Mocha = require('mocha')

/** Mocha's own report, and one plain closing line for whoever reads the output with a program. */
class ClosingLine extends Mocha.reporters.Spec {
  epilogue() {
    super.epilogue()
    const { passes, failures } = this.stats
    process.stdout.write(`${passes} passed, ${failures} failed\n`)
  }
}

module.exports = ClosingLine
