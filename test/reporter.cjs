const Mocha = require('mocha')

/** Mocha's own report between two lines for programs: Node's version, and how many tests passed and failed. */
class ClosingLine extends Mocha.reporters.Spec {
  constructor(...given) {
    super(...given)
    process.stdout.write(`Node ${process.version}\n`)
  }

  epilogue() {
    super.epilogue()
    const { passes, failures } = this.stats
    process.stdout.write(`${passes} passed, ${failures} failed\n`)
  }
}

module.exports = ClosingLine
