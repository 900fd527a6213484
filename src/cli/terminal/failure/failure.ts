import type { ApiResponse } from '../../../engine/core/request/request.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.js'

/** Why a command failed: lines for people, and the error object for programs. */
export interface Failure {
  readonly exitCode: ExitCode
  readonly lines: readonly string[]
  readonly body: JsonObject
}

/** The command line is wrong; the message names the flag and what it expects. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The operator declined, or pressed Ctrl-C; the message says what was done. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** The operator did not confirm: nothing was done. */
export class NotConfirmed extends Interrupted {}

/** The core answered with an error. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  constructor(
    readonly response: ApiResponse,
    /** How the attributes that it names are called at the terminal; by their paths unless given. */
    readonly wording: Wording = asDotted,
    /** Whether it was only asked what would happen. */
    readonly isDry = false,
  ) {
    super(String(response.body.error_description))
  }
}

/** What was asked for; undefined where the key may not see it. */
export async function ifAllowed<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Refusal && error.response.status === 403) return undefined
    throw error
  }
}

/** A line about an attribute and what is wrong with it. */
export type Wording = (path: readonly string[], problem: string) => string

const asDotted: Wording = (path, problem) => `${path.join('.')}: ${problem}`

/** How to report whatever was thrown. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Refusal) return refused(error)
  if (!(error instanceof Error))
    return failureWith(EXIT.unexpected, 'InternalServerError', [unexpected(String(error))])
  if (error instanceof UsageError) return failureWith(EXIT.usage, 'Usage', sentences(error.message))
  if (error instanceof Interrupted)
    return failureWith(EXIT.interrupted, 'Interrupted', sentences(error.message))
  if (isEndOfPrompt(error))
    return failureWith(EXIT.interrupted, 'Interrupted', ['Interrupted; nothing was sent.'])
  if (isParserError(error)) return failureWith(EXIT.usage, 'Usage', sentences(error.message))
  const code = storeExitCode(error)
  if (code === EXIT.notFound) return failureWith(code, 'NotFound', sentences(error.message))
  if (code !== undefined) return failureWith(code, 'ServiceUnavailable', sentences(error.message))
  return failureWith(EXIT.unexpected, 'InternalServerError', [unexpected(error.message)])
}

function refused({ response: { status, body }, wording, isDry }: Refusal): Failure {
  const exitCode = exitCodeOf(status, body.error_type)
  const details = body.details ?? {}
  if (exitCode === EXIT.declined) return { exitCode, lines: [declined(details, isDry)], body }
  const named = [...new Set(attributeLines(details, [], wording))]
  return { exitCode, lines: named.length > 0 ? named : [String(body.error_description)], body }
}

/** One line for each attribute: `payment_method.card.expiry: Required`. */
function attributeLines(details: Json, path: readonly string[], wording: Wording): string[] {
  if (details === null || typeof details !== 'object') return [wording(path, String(details))]
  return Object.entries(details).flatMap(([name, inner]) => attributeLines(inner, [...path, name], wording))
}

/** The stored transaction has what `--fields` asked for, which may be neither the reason nor the id. */
function declined(details: Json, isDry: boolean): string {
  const { id, status_code, status_message } =
    details !== null && typeof details === 'object' && !Array.isArray(details) ? details : {}
  const isRequested = status_message !== undefined || status_code !== undefined
  const named = [status_message, status_code && `(${status_code})`].filter(Boolean).join(' ')
  const reason = isRequested
    ? `: ${named || 'no reason was given'}`
    : '; status_message, which was not asked for, says why'
  if (isDry) return `Declined${reason}. Nothing is stored`
  return `Declined${reason}${id ? `. It is stored as ${id}` : ''}`
}

function failureWith(exitCode: ExitCode, type: string, lines: readonly string[]): Failure {
  const body = { object: 'error', error_type: type, error_description: lines.join(' '), details: {} }
  return { exitCode, lines, body }
}

function unexpected(message: string): string {
  return `Something unexpected happened: ${message.split('\n')[0]} (PAYCTL_DEBUG=1 shows where)`
}

/** The lines of an error by oclif, in our words and without its hint at `--help`. */
function sentences(message: string): string[] {
  const lines = message
    .replace(/Parsing (--\S+)\s*/g, '$1: ')
    .replace(/^Missing \d+ required args?:\n/, 'Missing ')
    .replace(/^The following errors? occurred:\s*/, '')
    .replace(/Missing required flag (\S+)/g, 'Missing --$1')
    .split('\n')
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== 'See more help with --help')
}

/** Whether Ctrl-C was pressed at a prompt. */
export function isEndOfPrompt(error: unknown): boolean {
  return error instanceof Error && error.name === 'ExitPromptError'
}

/** Errors of oclif's parser and command search carry how the process would exit: 2 for usage. */
function isParserError(error: Error): boolean {
  return 'oclif' in error
}

/** Problems of the database that may pass. */
const PASSING: readonly unknown[] = ['busy', 'full', 'too_slow', 'commit_unknown', 'disk_full', 'unreachable']

/** The exit code of errors whose message says what to do. By name, as their classes may not be loaded. */
function storeExitCode(error: Error): ExitCode | undefined {
  if (error.name === 'ListenError' || error.name === 'RemoteError') return EXIT.unavailable
  if (error.name === 'InstallationError')
    return 'problem' in error && error.problem === 'not_found' ? EXIT.notFound : EXIT.unexpected
  if (error.name !== 'StoreError') return undefined
  return 'problem' in error && PASSING.includes(error.problem) ? EXIT.unavailable : EXIT.unexpected
}
