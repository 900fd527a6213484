import { Readable } from 'node:stream'
import type { QueryPair } from '../../../engine/core/request/request.js'
import { csvText } from '../../../platform/csv-text.js'
import type { Fields } from '../../../schema/field.js'
import { isObject, type Json, type JsonObject } from '../../../schema/json.js'
import { safeHeader } from '../../../schema/safe-csv.js'
import type { ConsoleAnswer, ConsoleRequest } from '../console-page.js'
import { csvCell, plainText } from '../elements/value.js'

/** A report to export: its name, the fields of its rows, and the query for it. */
export interface ExportedReport {
  readonly name: string
  readonly fields: Fields
  readonly query: readonly QueryPair[]
}

/** CSV file with all rows of a report; spreadsheets find no formulas in it. */
export async function reportFile(request: ConsoleRequest, exported: ExportedReport): Promise<ConsoleAnswer> {
  const { name, query } = exported
  // The first page is read before anything is sent, because the request may be refused.
  const answer = await request.ask('GET', `/admin/reports/${name}`, { query })
  if (answer.status !== 200) return { kind: 'refused', answer }
  const { from, to } = answer.body
  return {
    kind: 'file',
    name: `${name}-${plainText(from ?? '')}-${plainText(to ?? '')}-${request.visitor.environment}.csv`,
    type: 'text/csv; charset=utf-8',
    content: Readable.from(csvOf(request, exported, answer.body)),
  }
}

async function* csvOf(
  request: ConsoleRequest,
  { name, fields: declared, query }: ExportedReport,
  first: JsonObject,
): AsyncGenerator<string, void> {
  const fields = Object.entries(declared)
  yield csvText([safeHeader(fields.map(([column]) => column))])
  const { from, to } = first
  const period: readonly QueryPair[] = [
    ...query.filter(([each]) => each !== 'from' && each !== 'to'),
    ['from', plainText(from ?? '')],
    ['to', plainText(to ?? '')],
  ]
  const pageAfter = async (next: string): Promise<JsonObject> => {
    const answer = await request.ask('GET', `/admin/reports/${name}`, {
      query: [...period, ['after', next]],
    })
    if (answer.status !== 200) throw new Error('A page of an export was refused')
    return answer.body
  }
  for (let body: JsonObject | undefined = first; body; ) {
    const { rows } = body
    const next: Json | undefined = body['next']
    // A list thread reads the next page while this page is written.
    const following: Promise<JsonObject> | undefined = typeof next === 'string' ? pageAfter(next) : undefined
    // The next page is awaited below. If the client leaves before that, a refusal must not become an unhandled
    // rejection.
    following?.catch(() => undefined)
    yield csvText(
      (Array.isArray(rows) ? rows.filter(isObject) : []).map((row) =>
        fields.map(([column, { kind }]) => csvCell(row[column], kind === 'money')),
      ),
      { isSafe: true },
    )
    body = await following
  }
}
