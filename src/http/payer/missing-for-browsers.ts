import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import type { App } from '../../app.js'
import { decodePath, splitTarget } from '../api/request-target.js'
import { sendPage } from '../pages/send-page.js'
import { payerLanguage } from './payer-language.js'
import { missingPage } from './plain-page.js'

/**
 * Answers a browser that opens an unknown address with a page. The API would answer 401 with a challenge, which makes
 * browsers ask for a password.
 */
export function missingForBrowsers({ names }: Pick<App, 'names'>) {
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    if (isNavigation(request) && !names(decodePath(splitTarget(request.raw.url).path)))
      sendPage(reply, 404, missingPage(payerLanguage(request)))
    else done()
  }
}

/** Whether a person opens an address: programs do not ask for HTML. */
function isNavigation({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(headers.accept ?? '')
}
