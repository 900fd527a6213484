import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.js'
import { type OpenedMessage, openMessage } from '../../domain/mail/open-message.js'
import { openUnsubscribe, unsubscribe } from '../../domain/mail-outbox/unsubscribe.js'
import { type Html, html } from '../html/html.js'
import { type HtmlPage, page } from '../html/page.js'
import { pageAddress } from '../html/page-address.js'
import { sendPage } from '../pages/send-page.js'
import { type AddressRoute, signedAddressOf } from '../pages/signed-address.js'
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

/** The page of a mail to a payer: recipient and status, then the mail itself. */
function messagePage({ to, status, language, content }: OpenedMessage): HtmlPage {
  const { merchant, subject, notice, paragraphs, facts, button, second, footer, unsubscribe } = content
  const body = html`<p class="faint">${to} · ${status ?? ''}</p>
<h1 dir="auto">${subject}</h1>
${notice && html`<p class="faint">${notice}</p>\n`}<p class="faint" dir="auto">${merchant}</p>
${paragraphs.map((text) => html`<p dir="auto">${text}</p>\n`)}${facts.length === 0 ? undefined : factList(facts)}${button && html`<p><a class="button" href="${pageAddress(button.address)}">${button.label}</a></p>\n`}${second && html`<p><a href="${pageAddress(second.address)}">${second.label}</a></p>\n`}${footer.map((text) => html`<p class="faint" dir="auto">${text}</p>\n`)}${unsubscribe && html`<p class="faint"><a href="${pageAddress(unsubscribe.address)}">${unsubscribe.label}</a></p>\n`}`
  return page({ title: subject, body, language })
}

function factList(facts: OpenedMessage['content']['facts']): Html {
  return html`<dl>
${facts.map(([label, value]) => html`<dt>${label}</dt><dd dir="auto">${value}</dd>\n`)}</dl>
`
}
