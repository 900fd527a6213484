import type { Input } from '../../schema/types.js'
import type { Credentials, FoundOperation, Rail } from '../contract.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { textIn } from './authorizenet-api.js'
import type { AuthorizeNetLists } from './authorizenet-lists.js'

/** Milliseconds by which a batch may be settled before its transactions were listed. */
const DAY = 86_400_000

interface Sources {
  readonly lists: AuthorizeNetLists
  readonly now: () => number
  /** The operation with an id; undefined if the answer has none. */
  at(id: string, credentials: Credentials): Promise<FoundOperation | undefined>
}

/** Current state of all unsettled transactions, and of those in batches that were settled since a moment. */
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

/** Ids of transactions submitted since a moment; those without a time are included. */
function idsSince(rows: readonly Input[] | undefined, since: number): readonly string[] {
  if (!rows) throw new UnknownOutcome('The list has changed while it was read')
  return rows
    .filter((row) => !(Date.parse(textIn(row, 'submitTimeUTC') ?? '') < since))
    .flatMap((row) => textIn(row, 'transId') ?? [])
}
