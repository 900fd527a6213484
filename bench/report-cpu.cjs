/**
 * Module that is loaded into a measured process. It reports the CPU time used so far, in microseconds, at each message
 * and at exit.
 */
const { writeSync } = require('node:fs')

function used() {
  const { user, system } = process.cpuUsage()
  return user + system
}

if (process.send) {
  process.on('message', () => process.send(used()))
  process.channel.unref()
} else process.on('exit', () => writeSync(3, String(used())))
