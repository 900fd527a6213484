import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.js'
import { openMessage } from '../../domain/mail/open-message.js'
import { openUnsubscribe, unsubscribe } from '../../domain/mail-outbox/unsubscribe.js'
import { sendPage } from '../pages/send-page.js'
import { type AddressRoute, signedAddressOf } from '../pages/signed-address.js'
import { messagePage } from './message-page.js'
import { payerLanguage } from './payer-language.js'
import { missingPage } from './plain-page.js'
import { unsubscribedPage, unsubscribePage } from './unsubscribe-page.js'

/** Serves messages, and the page on which reminders are declined, to any visitor with their signed address. */
export function serveMailPages(server: FastifyInstance, app: App): void {
  server.get<AddressRoute>('/mail/:environment/:id', async (request, reply) => {
    const address = signedAddressOf(request)
    if (!address) return sendPage(reply, 404, missingPage(payerLanguage(request)))
    const { core } = await app.environment(address.environment)
    const message = await core.read((work) => openMessage(work, address))
    return message
      ? sendPage(reply, 200, messagePage(message))
      : sendPage(reply, 404, missingPage(payerLanguage(request)))
  })

  server.get<AddressRoute>(UNSUBSCRIBE, async (request, reply) => await answer(app, request, reply))
  // Mail programs post here for their readers, too (RFC 8058): the address alone is proof enough.
  server.post<AddressRoute>(UNSUBSCRIBE, async (request, reply) => await answer(app, request, reply))
}

const UNSUBSCRIBE = '/unsubscribe/:environment/:id'

async function answer(
  app: App,
  request: FastifyRequest<AddressRoute>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const address = signedAddressOf(request)
  if (!address) return sendPage(reply, 404, missingPage(payerLanguage(request)))
  const { core } = await app.environment(address.environment)
  const declinable = await core.read((work) => openUnsubscribe(work, address))
  if (!declinable) return sendPage(reply, 404, missingPage(payerLanguage(request)))
  // Only POST unsubscribes; GET and HEAD must not change anything.
  if (request.method !== 'POST') return sendPage(reply, 200, unsubscribePage(declinable))
  await core.write((work) => unsubscribe(work, declinable))
  return sendPage(reply, 200, unsubscribedPage(declinable))
}
