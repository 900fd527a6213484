import type { QueryPair } from '../../../engine/core/request/request.js'
import { shellWord } from '../../../platform/shell-word.js'
import { notice } from '../../html/form.js'
import { type Html, html } from '../../html/html.js'
import type { HtmlPage } from '../../html/page.js'
import {
  type ConsoleAnswer,
  type ConsoleRequest,
  consoleAddress,
  type Elsewhere,
  type Visitor,
} from '../console-page.js'
import { consoleDocument } from '../document/document.js'
import { troubleHtml } from '../document/trouble.js'
import { valueWords } from '../lists/list-filters.js'

type PageAnswer = Extract<ConsoleAnswer, { kind: 'page' | 'refused' | 'missing' }>

/** A page inside the frame that all pages share, and its status. */
export function framed(
  visitor: Visitor,
  { path, query }: ConsoleRequest,
  answer: PageAnswer,
  requestId: string,
): { readonly status: number; readonly page: HtmlPage } {
  const { environment, name, principal, formToken } = visitor
  const other = environment === 'test' ? 'live' : 'test'
  const content = contentOf(answer, requestId)
  const page = consoleDocument({
    title: content.title,
    body: html`${beyondHtml(query)}${content.body}`,
    environment,
    frame: {
      path,
      otherAddress: consoleAddress(other, path, query),
      name,
      role: principal.role ?? 'viewer',
      formToken,
      // The date filters of a list. A search from that list says so if the found object is outside these dates.
      periods: query.filter(([key]) => key === 'created_at').map(([, value]) => value),
      search: path[0] === 'search' ? query.find(([key]) => key === 'q')?.[1] : undefined,
      elsewhere: answer.kind === 'page' ? elsewhereOf(answer.elsewhere) : undefined,
    },
  })
  return { status: content.status, page }
}

function contentOf(answer: PageAnswer, requestId: string) {
  switch (answer.kind) {
    case 'page':
      return { ...answer, status: answer.status ?? 200 }
    case 'refused': {
      const { status, body } = answer.answer
      const type = String(body['error_type'] ?? 'Error')
      const description = String(body['error_description'] ?? '')
      return { title: type, status, body: troubleHtml({ status, type, description, requestId }) }
    }
    case 'missing':
      return { title: 'Not found', status: 404, body: troubleHtml({ ...MISSING, requestId }) }
  }
}

const MISSING = {
  status: 404,
  type: 'NotFound',
  description: 'There is no such page or object in this environment.',
}

function elsewhereOf(elsewhere: Elsewhere | undefined) {
  if (elsewhere === undefined) return undefined
  const { command, path } = elsewhere
  return { command, curl: path && `curl -u "$KEY:" "$URL"${shellWord(path)}` }
}

/** A filter by date. */
const DATE_FILTER = /^(?:[<>]=?)?\d{4}-\d{2}-\d{2}(?:[ T][\d:]+)?$/

/** Says that an object was found by its id although the list's filter by date leaves it out. */
function beyondHtml(query: readonly QueryPair[]): Html | undefined {
  const filters = query.filter(([name, value]) => name === 'beyond' && DATE_FILTER.test(value))
  if (filters.length === 0) return undefined
  const words = filters.map(([, value]) => valueWords(value)).join(' and ')
  return notice('note', `This is beyond the dates of the list that was searched from: created ${words}.`)
}
