import { codeOf } from '../../../platform/error-code.js'
import type { Json, JsonObject } from '../../../schema/json.js'

/** Maximum number of changed objects that are kept by name; further objects are only counted. */
const MAX_NAMED = 20

/** The changes of a command. An error names them if the answer cannot be written. */
export class Changes {
  private readonly names: string[] = []
  private unnamed = 0

  get isEmpty(): boolean {
    return this.names.length === 0
  }

  /** Adds what a request has changed, by its answer. */
  add(method: string, path: string, body: JsonObject): void {
    const { values } = body
    const objects = (Array.isArray(values) ? values : [body]).filter(isNamed)
    for (const name of objects.length > 0 ? objects.map(nameOf) : [`${method} ${path}`])
      if (this.names.length < MAX_NAMED) this.names.push(name)
      else this.unnamed++
  }

  /**
   * Names of the changed objects, as in `payment txn_1 of 4.44 (processed)`; the last entry is the number of unnamed
   * objects.
   */
  all(): readonly string[] {
    return this.unnamed === 0 ? this.names : [...this.names, `${this.unnamed} more`]
  }
}

/**
 * Error of an output that cannot be written, as on a full disk. It names the changes, so that the operator
 * does not repeat them.
 */
export class UnwrittenOutput extends Error {
  override readonly name = 'UnwrittenOutput'

  constructor(
    cause: NodeJS.ErrnoException,
    readonly changes: readonly string[],
  ) {
    const reason = `(${cause.code ?? cause.message})`
    super(
      changes.length === 0
        ? `The output could not be written ${reason}`
        : `Done, but the answer could not be written ${reason}: ${changes.join(', ')}. Do not repeat the command`,
      { cause },
    )
  }
}

/** Error of a batch's result file that cannot be written, as on a full disk. The database has the outcomes. */
export class UnwrittenResults extends Error {
  override readonly name = 'UnwrittenResults'

  constructor(path: string, cause: unknown) {
    super(
      `The file ${path} could not be written (${codeOf(cause) ?? cause}); payctl batch results has the outcome of each row`,
      { cause },
    )
  }
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
