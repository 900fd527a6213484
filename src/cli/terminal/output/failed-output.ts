import process from 'node:process'
import { EXIT } from '../failure/exit-codes.js'
import { type Changes, UnwrittenOutput } from '../failure/unwritten-output.js'
import { report } from './answer-report.js'

/**
 * Handles errors of writing to stdout and stderr. It replaces oclif's handler, whose errors no caller would
 * catch. A broken pipe, whose reader has stopped, is reported only if the command has made changes.
 */
export function handleFailedOutput(argv: readonly string[], changes?: Changes): void {
  process.stderr.removeAllListeners('error').on('error', failUnlessStopped)
  process.stdout.removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' || changes?.isEmpty === false)
      report(new UnwrittenOutput(error, changes?.all() ?? []), argv)
  })
}

/** If stderr itself fails, the reason cannot be printed, so only the exit code is set. */
function failUnlessStopped(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') process.exitCode = EXIT.unexpected
}
