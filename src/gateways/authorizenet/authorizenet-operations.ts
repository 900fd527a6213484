import type { Input } from '../../schema/types.js'
import type { Credentials, FoundOperation, Rail } from '../contract.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { textIn } from './authorizenet-api.js'
import type { AuthorizeNetLists } from './authorizenet-lists.js'

/** Batches are read from one day before the requested time. */
const DAY = 86_400_000

interface Sources {
  readonly lists: AuthorizeNetLists
  readonly now: () => number
  /** Reads the operation with a transaction id; undefined for kinds of transaction that payctl never requests. */
  at(id: string, credentials: Credentials): Promise<FoundOperation | undefined>
}

/**
 * Current state of all transactions submitted since a time (milliseconds since 1970): unsettled ones, and those in
 * settled batches.
 */
export function authorizeNetOperations({ lists, now, at }: Sources): NonNullable<Rail['operations']> {
  return async function* operations(since, credentials) {
    const seen = new Set<string>()
    const each = async function* (rows: readonly Input[] | undefined): AsyncIterable<FoundOperation> {
      for (const id of idsSince(rows, since).filter((one) => !seen.has(one))) {
        seen.add(id)
        const found = await at(id, credentials)
        if (found) yield found
      }
    }
    yield* each(await lists.unsettled(credentials))
    for (const { id } of await lists.batches({ from: since - DAY, to: now() }, credentials))
      yield* each(await lists.inBatch(id, credentials))
  }
}

/**
 * Ids of transactions that were submitted since a time, or that have no time of submission. Throws
 * `UnknownOutcome` if the list changed while it was read.
 */
function idsSince(rows: readonly Input[] | undefined, since: number): readonly string[] {
  if (!rows) throw new UnknownOutcome('The list has changed while it was read')
  return rows
    .filter((row) => !(Date.parse(textIn(row, 'submitTimeUTC') ?? '') < since))
    .flatMap((row) => textIn(row, 'transId') ?? [])
}
