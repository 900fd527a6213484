import pg, { type ClientBase, type QueryConfig } from 'pg'
import type { RowValues, Stored } from '../../../schema/columns.js'
import { valueTypes } from './driver.js'

/** Answers the rows of a statement as lists of values, in the order in which it selects them. */
export async function queryValues(client: ClientBase, statement: QueryConfig): Promise<RowValues[]> {
  return await new Promise((resolve, reject) => {
    const query = new ValuesQuery(statement, (error) => (error ? reject(error) : resolve(query.found)))
    client.query(query)
  })
}

/** The type ids of texts, which are what the server sends. */
const TEXTS = new Set([pg.types.builtins.TEXT, pg.types.builtins.VARCHAR])

interface Described {
  readonly fields: readonly { readonly dataTypeID: number }[]
}

interface Sent {
  readonly fields: Stored[]
}

/**
 * What the driver itself makes of an answer to be told as lists is, for each answer, an object with a name for each column,
 * and of each row a copy and an event. This takes the rows as they come, and reads those of their values that are no texts.
 */
class ValuesQuery extends pg.Query<Stored[], unknown[]> {
  readonly found: Stored[][] = []
  private readonly parsed: { readonly place: number; parse(value: string): Stored }[] = []

  /** Called by the client. */
  handleRowDescription({ fields }: Described): void {
    for (const [place, { dataTypeID }] of fields.entries())
      if (!TEXTS.has(dataTypeID)) this.parsed.push({ place, parse: valueTypes.getTypeParser(dataTypeID) })
  }

  /** Called by the client. */
  handleDataRow({ fields }: Sent): void {
    for (const { place, parse } of this.parsed) {
      const sent = fields[place]
      if (typeof sent === 'string') fields[place] = parse(sent)
    }
    this.found.push(fields)
  }
}
