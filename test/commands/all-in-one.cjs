/** Runs many commands in one process: a list of lists of words on standard input, a list of outcomes on stdout. */
const { readFileSync } = require('node:fs')
const { run } = require('../../bin/run.js')

async function runAll(commands) {
  const write = process.stdout.write.bind(process.stdout)
  let said = ''
  process.stdout.write = () => true
  process.stderr.write = (text) => {
    said += text
    return true
  }
  const outcomes = []
  for (const words of commands) {
    said = ''
    process.exitCode = 0
    await run(...words)
    outcomes.push({ exitCode: process.exitCode, stderr: said })
  }
  process.exitCode = 0
  write(JSON.stringify(outcomes))
}

void runAll(JSON.parse(readFileSync(0, 'utf8')))
