import { objectsIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../terminal/client/client.js'

/** An answer with some of the rows of a report. */
export interface ReportPage {
  readonly body: JsonObject
  readonly rows: readonly JsonObject[]
}

/** The pages of a report. All pages have the period of the first page. */
export async function* pagesOfReport(
  ask: (more: JsonObject) => Promise<JsonObject>,
): AsyncGenerator<ReportPage, void> {
  let body = await ask({})
  const { from = null, to = null } = body
  yield pageOf(body)
  while (typeof body.next === 'string') {
    body = await ask({ from, to, after: body.next })
    yield pageOf(body)
  }
}

function pageOf(body: JsonObject): ReportPage {
  return { body, rows: objectsIn(body, 'rows') }
}

/** The complete report: the last answer, which has the totals, with the rows of all pages. */
export async function wholeOf(first: JsonObject, others: AsyncIterable<ReportPage>): Promise<JsonObject> {
  const rows = [...pageOf(first).rows]
  let last = first
  for await (const page of others) {
    for (const row of page.rows) rows.push(row)
    last = page.body
  }
  return { ...last, rows }
}

/** Writes the whole report as JSON, one page after another. */
export async function* reportJson(
  first: JsonObject,
  others: AsyncIterable<ReportPage>,
): AsyncGenerator<string> {
  const { rows, ...head } = first
  const { totals, next, ...before } = head
  yield `${JSON.stringify(before).slice(0, -1)},"rows":[${textOf(pageOf(first).rows)}`
  let last = head
  for await (const page of others) {
    if (page.rows.length > 0) yield `,${textOf(page.rows)}`
    last = page.body
  }
  const { totals: all = null } = last
  yield `],"totals":${JSON.stringify(all)},"next":null}\n`
}

function textOf(rows: readonly JsonObject[]): string {
  return rows.map((row) => JSON.stringify(row)).join(',')
}
