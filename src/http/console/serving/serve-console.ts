import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../../app.js'
import type { Environment } from '../../../engine/store/database/store.js'
import type { Limits } from '../../api/http-limits.js'
import type { Logger } from '../../api/log.js'
import { decodePath, parseQueryString, splitTarget } from '../../api/request-target.js'
import { apiErrorOf } from '../../api/send-answer.js'
import { seeOther, sendPage } from '../../pages/send-page.js'
import type { ConsoleAnswer, ConsolePage, ConsoleRequest, Visitor } from '../console-page.js'
import { CONSOLE_FILES } from '../document/console-files.js'
import { consoleDocument } from '../document/document.js'
import { troubleHtml } from '../document/trouble.js'
import type { ConsoleGate } from '../gate.js'
import { framed } from './framed.js'
import { CONSOLE_PAGES } from './pages.js'
import { takeFiles } from './posted-files.js'

export interface ConsoleDependencies {
  readonly app: App
  readonly gate: ConsoleGate
  readonly limits: Limits
  readonly log: Logger
  /** Message that is logged when a request fails. */
  readonly failed: string
  /** All pages by default. */
  readonly pages?: readonly ConsolePage[]
}

interface ConsoleRoute {
  readonly Params: { readonly environment: string; readonly '*'?: string }
}

/** Serves the pages of operators below `/console`; their errors are pages, too. */
export function serveConsole(server: FastifyInstance, dependencies: ConsoleDependencies): void {
  const { log, failed } = dependencies
  server.register((pages, _options, done) => {
    pages.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const { type, status, description, headers } = apiErrorOf(error)
      if (status >= 500) log.error({ request: request.id, err: error }, failed)
      const body = troubleHtml({ status, type, description, requestId: request.id })
      return sendPage(reply.headers(headers), status, consoleDocument({ title: type, body }))
    })
    for (const { address, type, text } of CONSOLE_FILES)
      pages.get(address, (_request, reply) => reply.headers(FILE_HEADERS).type(type).send(text))
    for (const address of ['/console', '/console/', '/console/test', '/console/live'])
      pages.get(address, (_request, reply) =>
        seeOther(reply, address.endsWith('live') ? '/console/live/' : '/console/test/'),
      )
    dependencies.gate.serve?.(pages)
    const answer = pageAnswerer(dependencies)
    pages.get<ConsoleRoute>('/console/:environment(^test|live$)/*', answer)
    pages.post<ConsoleRoute>('/console/:environment(^test|live$)/*', answer)
    done()
  })
}

/** Headers of files whose addresses contain a hash of their content, so that browsers may keep them. */
const FILE_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

function pageAnswerer(dependencies: ConsoleDependencies) {
  const { gate, limits, pages = CONSOLE_PAGES } = dependencies
  return async (request: FastifyRequest<ConsoleRoute>, reply: FastifyReply): Promise<FastifyReply> => {
    const environment: Environment = request.params.environment === 'live' ? 'live' : 'test'
    const visitor = await gate.visitorOf(request, reply, environment)
    if (!visitor) return reply
    const { path: address, search } = splitTarget(request.raw.url)
    const files = request.method === 'POST' ? await takeFiles(request, limits) : undefined
    const consoleRequest: ConsoleRequest = {
      visitor,
      id: request.id,
      path: decodePath(address).split('/').filter(Boolean).slice(2),
      query: search === '' ? [] : parseQueryString(search, limits.parameters),
      ...(files && { form: gate.gatePost(request, visitor), files }),
      ask: (method, path, more) =>
        visitor.core.handle({
          ...more,
          method,
          path,
          principal: visitor.principal,
          through: 'console',
          requestId: request.id,
        }),
    }
    const answer = await answerOf(pages, consoleRequest)
    return sendAnswer(reply, visitor, consoleRequest, answer)
  }
}

async function answerOf(pages: readonly ConsolePage[], request: ConsoleRequest): Promise<ConsoleAnswer> {
  const page = pages.find(({ matches }) => matches(request.path))
  if (!page) return { kind: 'missing' }
  if (!request.form) return await page.get(request)
  if (page.post) return await page.post(request)
  return { kind: 'refused', answer: NO_FORM }
}

const NO_FORM = {
  status: 405,
  body: { error_type: 'MethodNotAllowed', error_description: 'This page takes no form' },
  headers: { Allow: 'GET' },
} as const

function sendAnswer(
  reply: FastifyReply,
  visitor: Visitor,
  request: ConsoleRequest,
  answer: ConsoleAnswer,
): FastifyReply {
  switch (answer.kind) {
    case 'see':
      return seeOther(reply, answer.address)
    case 'file':
      return reply
        .headers({
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'content-disposition': `attachment; filename="${answer.name.replace(/[^\w.-]/g, '-')}"`,
        })
        .type(answer.type)
        .send(answer.content)
    case 'page':
    case 'refused':
    case 'missing': {
      const { status, page } = framed(visitor, request, answer, reply.request.id)
      return sendPage(reply, status, page)
    }
  }
}
