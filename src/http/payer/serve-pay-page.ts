import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenedLink } from '../../domain/links/open-link.js'
import type { Principal } from '../../engine/core/request/principal.js'
import type { ApiResponse } from '../../engine/core/request/request.js'
import type { Clock } from '../../platform/clock.js'
import type { Random } from '../../platform/random.js'
import type { Language } from '../../schema/language.js'
import { formatMoney } from '../../schema/money.js'
import { payingClient } from '../api/rate-limits.js'
import { TOKEN_FIELD } from '../html/form.js'
import type { HtmlPage } from '../html/page.js'
import { ensureVisitor, type FormTokens, formTokens, postedForm, visitorOf } from '../pages/form-tokens.js'
import { seeOther, sendPage } from '../pages/send-page.js'
import { queryParameters } from '../pages/signed-address.js'
import { findLink, type LinkSources } from './find-link.js'
import { type FormRefusal, formRefusal, NO_REFUSAL } from './form-refusal.js'
import { type FieldsByMethod, openFields } from './opened-fields.js'
import { paidPath } from './outcome-page.js'
import { consentText, type PayPlace, payPage } from './pay-page.js'
import { payerLanguage } from './payer-language.js'
import { unpayablePage } from './payment-states.js'
import { maintenancePage, missingPage } from './plain-page.js'
import { chosenMethod, formKey, isFormKey, linkPayer, linkSaver, repeatable } from './posted-payment.js'
import { paymentRefusal, submitPayment, unknownOutcome } from './submit-payment.js'
import { textsIn } from './texts/payer-texts.js'

export interface PayPageDependencies extends LinkSources {
  readonly clock: Clock
  readonly random: Random
}

/** Milliseconds for which the page may be open before the form is sent. */
const LIFE = 12 * 60 * 60 * 1000

/** A request for the page of a link. */
interface PayVisit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly link: OpenedLink
  readonly fields: FieldsByMethod
  readonly language: Language
}

interface Tools extends LinkSources {
  readonly tokens: FormTokens
  readonly random: Random
}

/** Serves the page on which a payment link is paid. */
export function servePayPage(
  server: FastifyInstance,
  { app, whole, clock, random }: PayPageDependencies,
): void {
  const tokens = formTokens({ sign: app.sign, now: clock.now, life: LIFE })
  const tools = { app, whole, tokens, random }
  for (const [method, answer] of [
    ['GET', showForm],
    ['POST', takePayment],
  ] as const)
    server.route<{ Params: { id: string } }>({
      method,
      url: '/pay/:id',
      async handler(request, reply) {
        const link = await findLink(tools, request.params.id)
        const language = payerLanguage(request, link?.locale)
        if (!link) return sendPage(reply, 404, missingPage(language))
        const { payable, fields } = await openFields(link)
        return await answer(tools, { request, reply, link: payable, fields, language })
      },
    })
}

async function showForm(tools: Tools, visit: PayVisit): Promise<FastifyReply> {
  const { request, reply, link, language } = visit
  const closed = closedPage(link, language)
  const { completed_url: onward } = link.redirects
  if (link.state === 'completed' && onward !== undefined && request.method === 'GET')
    return seeOther(reply, onward)
  if (closed) return sendPage(reply, closed.status, closed.page)
  const method = queryParameters(request).filter(([name]) => name === 'method')
  // The form begins with the amount due; if the link takes parts, the payer may change the amount.
  const values = new Map([['amount', formatMoney(link.amount)], ...method])
  return sendForm(tools, visit, { values, status: 200, refusal: NO_REFUSAL })
}

/** The page of a link that cannot be paid now; undefined when it can. */
function closedPage(
  link: OpenedLink,
  language: Language,
): { readonly status: number; readonly page: HtmlPage } | undefined {
  if (link.maintenance !== undefined)
    return { status: 503, page: maintenancePage(link.maintenance, language) }
  if (link.state === 'payable') return undefined
  return { status: 200, page: unpayablePage(link, link.state, language) }
}

interface FilledForm {
  readonly values: ReadonlyMap<string, string>
  readonly status: number
  readonly refusal: FormRefusal
  /** The idempotency key of the sent form; kept if sending the form again must not pay again. */
  readonly key?: string | undefined
}

/** Shows the form with the earlier input, and a new token for this visitor. */
function sendForm(
  { tokens, random }: Tools,
  { request, reply, link, fields, language }: PayVisit,
  { values, status, refusal, key }: FilledForm,
): FastifyReply {
  const form = {
    ...refusal,
    fields,
    method: chosenMethod(link, values.get('method')),
    values: repeatable(values),
    token: tokens.make(ensureVisitor(request, reply, random), link.id),
    key: key ?? formKey(random),
  }
  return sendPage(reply, status, payPage(link, form, language, placeOf(link)))
}

function placeOf({ id }: OpenedLink): PayPlace {
  return { address: (method) => (method === undefined ? id : `${id}?method=${method}`) }
}

/** Takes the payment and redirects to its outcome, or shows the form again. */
async function takePayment(tools: Tools, visit: PayVisit): Promise<FastifyReply> {
  const { request, reply, link, language } = visit
  const texts = textsIn(language)
  if (link.maintenance !== undefined) return await showForm(tools, visit)
  const values = postedForm(request)
  const isOurs = tools.tokens.isGood(values.get(TOKEN_FIELD), visitorOf(request), link.id)
  if (!isOurs || !isFormKey(values.get('key')))
    return sendForm(tools, visit, { values, status: 403, refusal: formRefusal(texts.tooOld) })
  const { core } = await tools.app.environment(link.environment)
  const principal = payerOf(visit, payingClient(request))
  const submitted = await submitPayment(core, { payable: link, values, principal, texts })
  switch (submitted.kind) {
    case 'taken':
      // The page of the link says that the method is saved.
      if (link.saves !== undefined) return seeOther(reply, link.id)
      return seeOther(reply, `../${paidPath(tools.app, link.environment, submitted.id)}`)
    case 'action':
      return seeOther(reply, belowPay(submitted.address))
    case 'again':
      return sendForm(tools, visit, { values, ...submitted })
    case 'busy': {
      const now = await openedAgain(tools, visit)
      const closed = closedPage(now.link, language)
      if (closed) return sendPage(reply, 409, closed.page)
      return sendForm(tools, now, { values, ...unknownOutcome(values, texts) })
    }
    case 'refused':
      return await refuse(tools, visit, { answer: submitted.answer, values })
  }
}

/** Shows the form again, for the present state of the link. */
async function refuse(
  tools: Tools,
  visit: PayVisit,
  { answer, values }: { answer: ApiResponse; values: ReadonlyMap<string, string> },
): Promise<FastifyReply> {
  const now = await openedAgain(tools, visit)
  const closed = closedPage(now.link, visit.language)
  if (closed && answer.body.error_type !== 'TransactionDeclined')
    return sendPage(visit.reply, closed.status, closed.page)
  visit.reply.headers(answer.headers)
  const refusal = paymentRefusal(now.link, answer, textsIn(visit.language))
  return sendForm(tools, now, { values, status: answer.status, refusal })
}

/** Reads the link again, and returns the visit with its present state. */
async function openedAgain(tools: Tools, visit: PayVisit): Promise<PayVisit> {
  const { payable: link, fields } = await openFields((await findLink(tools, visit.link.id)) ?? visit.link)
  return { ...visit, link, fields }
}

function payerOf({ link, language }: PayVisit, client: ReturnType<typeof payingClient>): Principal {
  return link.saves === undefined
    ? linkPayer(link, client)
    : linkSaver(link, client.address, consentText(link, language))
}

/** An address of this service, relative to the page of a link: it works under any host name of the service. */
function belowPay(address: string): string {
  const { pathname, search } = new URL(address)
  return `..${pathname}${search}`
}
