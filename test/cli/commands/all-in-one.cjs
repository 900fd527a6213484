/**
 * Runs many commands in one process. Standard input is a JSON list with the words of each command, and stdout a
 * JSON list of outcomes. With `ON_TERMINAL`, output streams look like a terminal of 100 columns.
 */
const { readFileSync } = require('node:fs')
const { run } = require('../../../bin/run.js')

const TERMINAL = { isTTY: true, columns: 100, rows: 40, getWindowSize: () => [100, 40] }

async function runAll(commands) {
  const write = process.stdout.write.bind(process.stdout)
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    if (process.env.ON_TERMINAL) Object.assign(process[name], TERMINAL)
    process[name].write = (text) => {
      said[name] += text
      return true
    }
  }
  const outcomes = []
  for (const words of commands) {
    Object.assign(said, { stdout: '', stderr: '' })
    process.exitCode = 0
    await run(...words)
    outcomes.push({ exitCode: process.exitCode, ...said })
  }
  process.exitCode = 0
  write(JSON.stringify(outcomes))
}

void runAll(JSON.parse(readFileSync(0, 'utf8')))
