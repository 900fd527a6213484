import process from 'node:process'
import { EXIT } from '../failure/exit-codes.js'
import { type Changes, UnwrittenOutput } from '../failure/unwritten-output.js'
import { report } from './answer-report.js'

/**
 * Handles errors of writing: oclif's own handler, which is loaded with its commands, would throw where no caller
 * catches. A broken pipe, whose reader has stopped, is reported only if the command has made changes.
 */
export function handleFailedOutput(argv: readonly string[], changes?: Changes): void {
  process.stderr.removeAllListeners('error').on('error', failUnlessStopped)
  process.stdout.removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' || changes?.isEmpty === false)
      report(new UnwrittenOutput(error, changes?.all() ?? []), argv)
  })
}

/** The reason cannot be printed where stderr itself fails: the exit code is all that is left. */
function failUnlessStopped(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') process.exitCode = EXIT.unexpected
}
