import pg, { type ClientBase, type QueryConfig } from 'pg'
import type { RowValues, Stored } from '../../../schema/columns.js'
import { valueTypes } from './driver.js'

/** Rows of a statement as lists of values, in the order of selection. */
export async function queryValues(client: ClientBase, statement: QueryConfig): Promise<RowValues[]> {
  return await new Promise((resolve, reject) => {
    const query = new ValuesQuery(statement, (error) => (error ? reject(error) : resolve(query.found)))
    client.query(query)
  })
}

/** Type ids of texts, which need no parsing because the server sends values as texts. */
const TEXTS = new Set([pg.types.builtins.TEXT, pg.types.builtins.VARCHAR])

interface Described {
  readonly fields: readonly { readonly dataTypeID: number }[]
}

interface Sent {
  readonly fields: Stored[]
}

/**
 * Query that takes rows as the server sends them, and parses only values that are not texts. The driver's
 * own list mode makes an object with a name per column for each answer. For each row it also makes a copy
 * and an event.
 */
class ValuesQuery extends pg.Query<Stored[], unknown[]> {
  readonly found: Stored[][] = []
  private readonly parsed: { readonly place: number; parse(value: string): Stored }[] = []

  /** Called by the driver's client with the columns of the answer. */
  handleRowDescription({ fields }: Described): void {
    for (const [place, { dataTypeID }] of fields.entries())
      if (!TEXTS.has(dataTypeID)) this.parsed.push({ place, parse: valueTypes.getTypeParser(dataTypeID) })
  }

  /** Called by the driver's client with each row. */
  handleDataRow({ fields }: Sent): void {
    for (const { place, parse } of this.parsed) {
      const sent = fields[place]
      if (typeof sent === 'string') fields[place] = parse(sent)
    }
    this.found.push(fields)
  }
}
