import type { ApiResponse } from '../../../engine/core/request/request.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.js'
import { UnwrittenOutput, UnwrittenResults } from './unwritten-output.js'

/** Reason why a command failed: lines for people, and the error object for programs. */
export interface Failure {
  readonly exitCode: ExitCode
  readonly lines: readonly string[]
  readonly body: JsonObject
  /** Sentence for people that names the command which helps. */
  readonly way?: string
}

/** An error of the command line; the message names the flag and the expected value. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The operator declined, or pressed Ctrl-C; the message says what was done. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** The operator did not confirm, so no request was sent. */
export class NotConfirmed extends Interrupted {}

/** An answer of the core that is an error. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  constructor(
    readonly response: ApiResponse,
    /** Names of attributes at the terminal; by default their paths. */
    readonly wording: Wording = asDotted,
    /** Whether the request was a dry run. */
    readonly isDry = false,
    /** Line that names the command with which the operator can continue. */
    readonly way?: string,
  ) {
    super(String(response.body.error_description))
  }
}

/** The error of the service for an object that does not exist. */
export function missingObject(description: string): Refusal {
  const body = { object: 'error', error_type: 'NotFound', error_description: description, details: {} }
  return new Refusal({ status: 404, body, headers: {} })
}

/** The answer; undefined if the key may not see it. */
export async function ifAllowed<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Refusal && error.response.status === 403) return undefined
    throw error
  }
}

/** Formats a line about an attribute and its problem. */
export type Wording = (path: readonly string[], problem: string) => string

const asDotted: Wording = (path, problem) => `${path.join('.')}: ${problem}`

/** Report of any thrown value. */
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
  if (error instanceof UnwrittenOutput) return unwritten(error)
  if (error instanceof UnwrittenResults)
    return failureWith(EXIT.unexpected, 'OutputNotWritten', [`${error.message}.`])
  const code = storeExitCode(error)
  if (code === EXIT.notFound) return failureWith(code, 'NotFound', sentences(error.message))
  if (code !== undefined) return failureWith(code, 'ServiceUnavailable', sentences(error.message))
  return failureWith(EXIT.unexpected, 'InternalServerError', [unexpected(error.message)])
}

/** Failure with a type of its own, because the command may have made its changes. */
function unwritten({ message, changes }: UnwrittenOutput): Failure {
  const failure = failureWith(EXIT.unexpected, 'OutputNotWritten', [`${message}.`])
  return { ...failure, body: { ...failure.body, details: { done: [...changes] } } }
}

function refused({ response: { status, body }, wording, isDry, way }: Refusal): Failure {
  const exitCode = exitCodeOf(status, body.error_type)
  const details = body.details ?? {}
  if (exitCode === EXIT.declined) return { exitCode, lines: [declined(details, isDry)], body }
  const named = [...new Set(attributeLines(details, [], wording))]
  const lines = named.length > 0 ? named : [String(body.error_description)]
  return { exitCode, lines, body, ...(way !== undefined && { way }) }
}

/** Lines for nested problems, one for each attribute: `payment_method.card.expiry: Required`. */
function attributeLines(details: Json, path: readonly string[], wording: Wording): string[] {
  if (details === null || typeof details !== 'object') return [wording(path, String(details))]
  return Object.entries(details).flatMap(([name, inner]) => attributeLines(inner, [...path, name], wording))
}

/** Line about a declined payment. The answer may lack the reason or the id, if `--fields` left them out. */
function declined(details: Json, isDry: boolean): string {
  const { id, status_code, status_message } =
    details !== null && typeof details === 'object' && !Array.isArray(details) ? details : {}
  const isRequested = status_message !== undefined || status_code !== undefined
  const named = [status_message, status_code && `(${status_code})`].filter(Boolean).join(' ')
  const reason = isRequested
    ? `: ${named || 'no reason was given'}`
    : '; status_message, which was not requested, has the reason'
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

/** Lines of an error by oclif, reworded and without the hint at `--help`. */
function sentences(message: string): string[] {
  const lines = message
    .replace(/Parsing ((?:--|PAYCTL_)\S+)\s*/g, '$1: ')
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

/** Whether an error is from oclif's parser or command search. Such errors have a property `oclif`. */
function isParserError(error: Error): boolean {
  return 'oclif' in error
}

/** Temporary problems of the database. */
const PASSING: readonly unknown[] = ['busy', 'full', 'too_slow', 'commit_unknown', 'disk_full', 'unreachable']

/**
 * Exit code of errors whose message says what to do. The errors are compared by name, because their classes may not be
 * loaded.
 */
function storeExitCode(error: Error): ExitCode | undefined {
  if (error.name === 'ListenError' || error.name === 'RemoteError') return EXIT.unavailable
  if (error.name === 'InstallationError')
    return 'problem' in error && error.problem === 'not_found' ? EXIT.notFound : EXIT.unexpected
  if (error.name !== 'StoreError') return undefined
  return 'problem' in error && PASSING.includes(error.problem) ? EXIT.unavailable : EXIT.unexpected
}
