import type { Json, JsonObject } from '../../../schema/json.js'

/** A request that changed data, and its answer. */
export interface Done {
  readonly method: string
  readonly path: string
  readonly body: JsonObject
}

/** Largest number of objects that the error names. */
const MAX_NAMED = 20

/** Error of an output that cannot be written, as on a full disk; it names what was done, so that nobody repeats it. */
export class UnwrittenOutput extends Error {
  override readonly name = 'UnwrittenOutput'
  /** Names of the changed objects. */
  readonly changes: readonly string[]

  constructor(cause: NodeJS.ErrnoException, done: readonly Done[]) {
    const changes = done.flatMap(namesOf)
    const reason = `(${cause.code ?? cause.message})`
    const shown = [...changes.slice(0, MAX_NAMED), ...(changes.length > MAX_NAMED ? ['more'] : [])].join(', ')
    super(
      changes.length === 0
        ? `The output could not be written ${reason}`
        : `Done, but the answer could not be written ${reason}: ${shown}. Do not repeat the command`,
      { cause },
    )
    this.changes = changes
  }
}

/** Names of the objects in an answer: `payment txn_1 of 4.44, processed`. */
function namesOf({ method, path, body }: Done): readonly string[] {
  const { values } = body
  const objects = (Array.isArray(values) ? values : [body]).filter(isNamed)
  return objects.length > 0 ? objects.map(nameOf) : [`${method} ${path}`]
}

function isNamed(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && typeof value.id === 'string'
}

function nameOf({ object, type, id, amount, status }: JsonObject): string {
  const kind = typeof type === 'string' ? type : object
  const words = typeof kind === 'string' ? `${kind.replaceAll('_', ' ')} ` : ''
  const sum = typeof amount === 'number' ? ` of ${amount.toFixed(2)}` : ''
  const state = typeof status === 'string' ? ` (${status.replaceAll('_', ' ')})` : ''
  return `${words}${String(id)}${sum}${state}`
}
