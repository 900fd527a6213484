import process from 'node:process'
import { EXIT } from '../failure/exit-codes.js'
import { failureOf } from '../failure/failure.js'
import { cleanLines, cleanOutput, cleanText } from './clean.js'
import { paint } from './colour.js'
import { lookOf } from './look.js'

/** Prints the reason of a failure on stderr, and sets the exit code. stdout stays empty. */
export function report(error: unknown, argv: readonly string[]): void {
  const { exitCode, lines, body, way } = failureOf(error)
  process.exitCode = exitCode
  if (wantsJson(argv)) {
    const text = `${JSON.stringify({ ...body, exit_code: exitCode })}\n`
    process.stderr.write(process.stderr.isTTY ? cleanOutput(text, 'json') : text)
    return
  }
  const { colour } = lookOf(process.stderr, process.env)
  // Ctrl-C is not an error.
  const mark = exitCode === EXIT.interrupted ? '' : `${paint('error:', 'red', colour)} `
  for (const line of lines) process.stderr.write(`${mark}${cleanText(line)}\n`)
  if (way !== undefined) process.stderr.write(`${cleanText(way)}\n`)
  if (exitCode === EXIT.unexpected && process.env.PAYCTL_DEBUG && error instanceof Error)
    process.stderr.write(`${cleanLines(error.stack ?? '')}\n`)
}

/**
 * Whether JSON was requested. Reads the words of the command line, because parsing the flags may have
 * failed.
 */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  const last = words.findLast((word, index) => isFormat(word) || isFormatName(words[index - 1]))
  return (
    words.some((word) => /^--(json$|jq(=|$))/.test(word)) ||
    (last ?? process.env.PAYCTL_OUTPUT ?? '').endsWith('json')
  )
}

function isFormat(word: string): boolean {
  return /^(--output=|-o=?)\w+$/.test(word)
}

function isFormatName(before: string | undefined): boolean {
  return before === '-o' || before === '--output'
}
