import { containing, type WordMeaning, wordQueries } from '../../../domain/payments/search-words.js'
import type { QueryPair } from '../../../engine/core/request/request.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import { objectsIn } from '../../../schema/answer-values.js'
import { type Html, html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { type ConsoleAnswer, type ConsolePage, type ConsoleRequest, consoleAddress } from '../console-page.js'
import { cardHtml } from '../elements/facts.js'
import { emptyHtml, headingHtml } from '../elements/list-html.js'
import { listHeading, listPath } from '../elements/object-path.js'
import { fieldLabel } from '../elements/value.js'
import { valueWords } from '../lists/list-filters.js'
import { rowsHtml } from '../lists/list-rows.js'
import { listColumns } from '../records/console-resources.js'
import { findObject, isBeyond } from './find-object.js'

/** Maximum number of rows of each list of results; its heading links to the whole list. */
const MAX_ROWS = 5
const MAX_LENGTH = 200

/** Page for the search box. An id leads to its object; other text shows one list for each possible meaning. */
export const searchPage: ConsolePage = {
  matches: ([first, ...more]) => first === 'search' && more.length === 0,
  async get(request) {
    const last = (name: string) => request.query.findLast(([key]) => key === name)?.[1] ?? ''
    const text = last('q').trim().slice(0, MAX_LENGTH)
    if (text === '') return showResults(text, undefined)
    const object = await findObject(request, text)
    if (object) {
      const periods = request.query.filter(([name]) => name === 'within').map(([, value]) => value)
      const beyond = periods.length > 0 && (await isBeyond(request, object, periods))
      const more: QueryPair[] = beyond ? periods.map((value) => ['beyond', value]) : []
      return { kind: 'see', address: consoleAddress(request.visitor.environment, object.path, more) }
    }
    const meanings = meaningsOf(request, text)
    const found = await Promise.all(meanings.map((meaning) => resultsOf(request, meaning)))
    return showResults(
      text,
      found.filter((one) => one !== undefined),
    )
  },
}

/** A possible meaning of the searched text, as a list with filters. */
interface Meaning {
  readonly resource: ResourceModel
  readonly query: WordMeaning
}

/**
 * Possible meanings of a text: transactions that match all its words, customers and invoices that contain the whole
 * text.
 */
function meaningsOf({ visitor }: ConsoleRequest, text: string): readonly Meaning[] {
  const { model } = visitor.app
  const asDay = (word: string) => word
  // Too many ambiguous words would need too many queries, so they are searched for as one text.
  const queries = wordQueries(text.split(/\s+/), asDay) ?? wordQueries([text], asDay) ?? []
  const inText = (name: string, attribute: string): Meaning => ({
    resource: model.get(name),
    query: [[attribute, containing(text)]],
  })
  return [
    inText('customer', 'name'),
    inText('customer', 'email'),
    ...queries.map((query) => ({ resource: model.get('transaction'), query })),
    inText('invoice', 'number'),
    inText('invoice', 'description'),
  ]
}

async function resultsOf(request: ConsoleRequest, { resource, query }: Meaning): Promise<Html | undefined> {
  const columns = listColumns(resource)
  const answer = await request.ask('GET', `/${resource.plural}`, {
    query: [...query, ['fields', ['id', ...columns].join()], ['limit', String(MAX_ROWS + 1)]],
  })
  const rows = objectsIn(answer.body)
  if (rows.length === 0) return undefined
  const address = pageAddress(consoleAddress(request.visitor.environment, listPath(resource), query))
  const words = query.map(([name, value]) => `${fieldLabel(name)} ${valueWords(value)}`).join(', ')
  const heading = `${listHeading(resource)}: ${words}`
  const table = {
    id: `found-${resource.name}-${query.map(([name]) => name.replaceAll(/\W/g, '-')).join('-')}`,
    columns,
    options: { resource, heading },
    request: { ...request, path: listPath(resource), query },
  }
  return html`<section>
<h2><a href="${address}">${heading}</a></h2>
${await rowsHtml(table, rows.slice(0, MAX_ROWS), true)}
${rows.length > MAX_ROWS ? html`<p><a href="${address}">All that match</a></p>` : undefined}
</section>
`
}

function showResults(text: string, found: readonly Html[] | undefined): ConsoleAnswer {
  const heading = text === '' ? 'Search' : html`Search: <bdi>${text}</bdi>`
  const hints = cardHtml(
    'What is found',
    html`<ul>
<li>an id, also shortened as in lists: <code>txn_…5jFK</code></li>
<li>a reference or an order number, or a part of it</li>
<li>a name or an e-mail address</li>
<li>the last four digits of a card or account: <code>4242</code></li>
<li>an amount: <code>29.99</code></li>
<li>a day: <code>2030-01-31</code>; several words narrow it: <code>4242 29.99</code></li>
</ul>`,
  )
  const isEmpty = found !== undefined && found.length === 0
  return {
    kind: 'page',
    title: text === '' ? 'Search' : `Search: ${text}`,
    body: html`${headingHtml(heading)}
${isEmpty ? emptyHtml('Nothing is found for these words.') : found}
${found === undefined || isEmpty ? hints : undefined}`,
  }
}
