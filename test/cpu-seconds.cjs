const { readdirSync, readFileSync } = require('node:fs')
const process = require('node:process')

/** Linux counts the time of processes in hundredths of a second for all programs. */
const TICKS = 100

/**
 * Seconds of CPU that this process, its running descendants and their ended children have taken, so also those of a
 * database server. Without Linux's `/proc`, those of this process alone.
 */
function cpuSeconds() {
  try {
    return ticksOf(process.pid) / TICKS
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
}

function ticksOf(pid) {
  // The name of the program may contain spaces; the fields after it do not.
  const [, after] = /\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const own = after.split(' ').slice(11, 15).map(Number)
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  )
  return [...own, ...children.map(ticksIfRunning)].reduce((sum, ticks) => sum + ticks, 0)
}

function ticksIfRunning(pid) {
  try {
    return ticksOf(pid)
  } catch {
    return 0
  }
}

module.exports = { cpuSeconds }
