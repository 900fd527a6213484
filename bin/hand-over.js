/**
 * Runs this command on the Node that a clone brings, for a process whose own Node is too old. To the caller both are one
 * process: they share the streams, signals reach the child once, and its exit code is passed on.
 */
const { spawn } = require('node:child_process')
const { closeSync, existsSync, openSync, realpathSync } = require('node:fs')
const { join } = require('node:path')

/** Signals that are sent to one process, so that only the parent gets them. */
const FORWARDED = ['SIGTERM', 'SIGHUP']

/** Starts the child and follows it; answers false, with no effect, where the clone brings no other Node. */
function handOver(root, onFailure) {
  const node = join(root, 'node_modules', '.bin', 'node')
  if (!existsSync(node) || realpathSync(node) === realpathSync(process.execPath)) return false
  const args = [...process.execArgv, join(__dirname, 'handed-over.js'), ...process.argv.slice(2)]
  const child = spawn(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal))
  // A terminal sends Ctrl-C to both; the child must not take it for pressed twice.
  process.on('SIGINT', hasTerminal() ? () => undefined : () => child.kill('SIGINT'))
  child.once('error', onFailure)
  child.once('exit', endAlike)
  return true
}

function hasTerminal() {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}

/** Ends this process as its child has ended. */
function endAlike(code, signal) {
  if (signal === null) {
    process.exitCode = code
    return
  }
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

module.exports = { handOver }
