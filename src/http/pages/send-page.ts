import type { FastifyReply } from 'fastify'
import type { HtmlPage } from '../html/page.js'

export function sendPage(reply: FastifyReply, status: number, { headers, text }: HtmlPage): FastifyReply {
  return reply.code(status).headers(headers).header('x-request-id', reply.request.id).send(text)
}

/**
 * Redirects to a page that is read with GET, also after a posted form, so that reloading does not send the form
 * again.
 */
export function seeOther(reply: FastifyReply, address: string): FastifyReply {
  return reply
    .code(303)
    .headers({ location: address, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .send()
}
