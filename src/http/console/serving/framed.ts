import { shellWord } from '../../../platform/shell-word.js'
import { consoleDocument } from '../../views/console/document.js'
import { troubleHtml } from '../../views/console/trouble.js'
import type { HtmlPage } from '../../views/page.js'
import {
  type ConsoleAnswer,
  type ConsoleRequest,
  consoleAddress,
  type Elsewhere,
  type Visitor,
} from '../console-page.js'

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
    body: content.body,
    environment,
    frame: {
      path,
      otherAddress: consoleAddress(other, path, query),
      name,
      role: principal.role ?? 'viewer',
      formToken,
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
  return { command, curl: path && `curl -u "$KEY:" "$PAYCTL_URL"${shellWord(path)}` }
}
