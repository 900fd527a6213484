import type { JsonObject } from '../../../schema/json.js'
import { UsageError } from '../failure/failure.js'
import type { Look } from './look.js'
import type { ListText, Rendering } from './rendering.js'

/** Exit codes of jq: for an invalid expression, and for an expression that does not fit its input. */
const COMPILE_ERROR = 3
const FIRST_ERROR = 1

/**
 * Throws a `UsageError` with the place of an error in an expression. The expression is run without input, so that jq
 * only compiles it.
 */
export async function expectExpression(expression: string): Promise<void> {
  const jq = await load()
  const { exitCode, stderr } = jq.raw('', expression)
  if (exitCode === COMPILE_ERROR) throw new UsageError(`--jq: ${reasonOf(stderr)}`)
}

/**
 * Applies an expression to a list: to the whole list, or with `ndjson` to each object. Each result is a
 * line, with text unquoted and other values as JSON. `end` and `page` throw a `UsageError` if the
 * expression fails.
 */
export async function filteredList(expression: string, { format, look }: Rendering): Promise<ListText> {
  const jq = await load()
  const apply = (input: string) => resultOf(jq, { input, expression, look })
  if (format === 'ndjson')
    return { page: (values) => (values.length === 0 ? '' : apply(linesOf(values))), end: () => '' }
  const pieces: string[] = []
  return {
    page(values) {
      pieces.push(...values.map((value) => JSON.stringify(value)))
      return ''
    },
    end: () => apply(`{"object":"list","values":[${pieces.join(',')}]}`),
  }
}

/** Applies an expression to a single object. Throws a `UsageError` if the expression fails. */
export async function filteredObject(expression: string, body: JsonObject, look: Look): Promise<string> {
  return resultOf(await load(), { input: JSON.stringify(body), expression, look })
}

type Jq = Awaited<ReturnType<typeof load>>

async function load() {
  const { loadJq } = await import('jq-wasm')
  return await loadJq()
}

interface Application {
  readonly input: string
  readonly expression: string
  readonly look: Look
}

function resultOf(jq: Jq, { input, expression, look }: Application): string {
  const { stdout, stderr, exitCode } = jq.raw(
    input,
    expression,
    look.width === undefined ? ['-r', '-c'] : ['-r'],
  )
  if (exitCode >= FIRST_ERROR)
    throw new UsageError(`--jq: ${reasonOf(stderr)}; what was done before stays done`)
  return stdout === '' ? '' : `${stdout}\n`
}

function linesOf(values: readonly JsonObject[]): string {
  return values.map((value) => JSON.stringify(value)).join('\n')
}

/** First line of an error of jq, without the parts about jq's own command line. */
function reasonOf(stderr: string): string {
  const [line = ''] = stderr.split('\n')
  return line
    .replace(/^jq: error(?: \(at [^)]*\))?(?: \(not a string\))?: /, '')
    .replace(/ at <top-level>, line (\d+), column (\d+):$/, ' (line $1, column $2)')
}
