import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../../app.js'
import type { OpenedLink } from '../../../domain/links/open-link.js'
import type { ApiResponse } from '../../../engine/core/request/request.js'
import type { Clock } from '../../../platform/clock.js'
import type { Random } from '../../../platform/random.js'
import { decodePath, queryOf, splitTarget } from '../../api/wire/target.js'
import { type FormTokens, formTokens, TOKEN_FIELD } from '../../views/form-token.js'
import { amountText } from '../../views/payment/amount.js'
import { payPage } from '../../views/payment/pay-page.js'
import { missingPage } from '../../views/payment/plain-page.js'
import { unpayablePage } from '../../views/payment/states.js'
import { postedForm } from '../posted-form.js'
import { seeOther, sendPage } from '../send-page.js'
import { greetVisitor, visitorOf } from '../visitor.js'
import { closedTo } from './closed.js'
import { paidPath } from './outcome.js'
import { chosenMethod, missingFields, paymentRequest } from './posted-payment.js'
import { type Refusal, refusalOf, refused } from './refusal.js'

/** What the page needs of the world outside. */
export interface PayParts {
  readonly app: App
  readonly clock: Clock
  readonly random: Random
}

/** Milliseconds that the page may be open before it is sent. */
const LIFE = 12 * 60 * 60 * 1000
const KEY_BYTES = 18
const KEY = /^[\w-]{24}$/
const MOST_PARAMETERS = 10
const FRESH: Refusal = { problem: undefined, errors: new Map() }

const TOO_OLD = 'Nothing was paid: this page was open for too long, or cookies are off. Send it again.'
const SENT_BEFORE =
  'This was sent before with other numbers. Look whether you have paid already; if not, send it again.'
const UNKNOWN = 'The payment cannot be made now. Send it again in a minute: you are charged once at most.'

/** One request for the page of a link. */
interface Asked {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly link: OpenedLink
}

/** Serves the page on which a payment link is paid. */
export function servePayPage(server: FastifyInstance, { app, clock, random }: PayParts): void {
  const tokens = formTokens({ sign: app.sign, now: clock.now, life: LIFE })
  const parts = { app, tokens, random }
  for (const [method, answer] of [
    ['GET', showForm],
    ['POST', takePayment],
  ] as const)
    server.route({
      method,
      url: '/pay/:id',
      async handler(request, reply) {
        const [, , id = ''] = decodePath(splitTarget(request.raw.url ?? '/').path).split('/')
        const link = await app.openLink(id)
        if (!link) return sendPage(reply, 404, missingPage())
        return await answer(parts, { request, reply, link })
      },
    })
}

interface Parts {
  readonly app: App
  readonly tokens: FormTokens
  readonly random: Random
}

async function showForm(parts: Parts, asked: Asked): Promise<FastifyReply> {
  const { request, reply, link } = asked
  const closed = closedTo(link)
  if (closed) return sendPage(reply, closed.status, closed.page)
  const { search } = splitTarget(request.raw.url ?? '/')
  const posted = new Map(queryOf(search, MOST_PARAMETERS)?.filter(([name]) => name === 'method'))
  return form(parts, asked, { posted, status: 200, refusal: FRESH })
}

interface Showing {
  readonly posted: ReadonlyMap<string, string>
  readonly status: number
  readonly refusal: Refusal
  /** The key of the form that was sent, where sending it again must not pay again. */
  readonly key?: string | undefined
}

/** The form, filled in as it was sent, with a token for whoever sent it. */
function form({ tokens, random }: Parts, { request, reply, link }: Asked, showing: Showing): FastifyReply {
  const { posted, status, refusal, key } = showing
  const page = payPage(link, {
    ...refusal,
    method: chosenMethod(link, posted.get('method')),
    values: posted,
    token: tokens.make(greetVisitor(request, reply, random), link.id),
    key: key ?? Buffer.from(random.bytes(KEY_BYTES)).toString('base64url'),
  })
  return sendPage(reply, status, page)
}

/**
 * Takes the payment that was filled in and sends on to what became of it; or shows the form again. What was sent twice
 * is paid once, whatever became of the link meanwhile: the key is looked at before the link is.
 */
async function takePayment(parts: Parts, asked: Asked): Promise<FastifyReply> {
  const { request, reply, link } = asked
  if (link.maintenance !== undefined) return await showForm(parts, asked)
  const posted = postedForm(request)
  const again = (status: number, refusal: Refusal, key?: string) =>
    form(parts, asked, { posted, status, refusal, key })
  const key = posted.get('key') ?? ''
  const isOurs = parts.tokens.isGood(posted.get(TOKEN_FIELD), visitorOf(request), link.id)
  if (!isOurs || !KEY.test(key)) return again(403, refused(TOO_OLD))
  const method = chosenMethod(link, posted.get('method'))
  const missing = missingFields(link, method, posted)
  if (missing.size > 0) return again(400, { problem: undefined, errors: missing }, key)
  const core = await parts.app.core(link.environment)
  const answer = await core.handle(paymentRequest(link, method, posted))
  if (answer.status === 200)
    return seeOther(reply, `../${paidPath(parts.app, link.environment, String(answer.body.id))}`)
  if (answer.status >= 500) return again(503, refused(UNKNOWN), key)
  if (answer.body.error_type === 'IdempotencyMismatch') return again(409, refused(SENT_BEFORE))
  if (answer.body.error_type === 'Conflict') return sendPage(reply, 409, unpayablePage(link, 'busy'))
  return await refuse(parts, asked, { answer, posted })
}

/** The form again; as the link is now, where it has changed since the page was shown. */
async function refuse(
  parts: Parts,
  asked: Asked,
  { answer, posted }: { answer: ApiResponse; posted: ReadonlyMap<string, string> },
): Promise<FastifyReply> {
  const link = (await parts.app.openLink(asked.link.id)) ?? asked.link
  const closed = closedTo(link)
  if (closed && answer.body.error_type !== 'TransactionDeclined')
    return sendPage(asked.reply, closed.status, closed.page)
  const refusal = refusalOf(answer)
  const isOtherAmount = !link.takesParts && refusal.errors.has('amount')
  const shown = isOtherAmount
    ? refused(`The amount is now ${amountText(link.amount)}. Nothing was paid.`)
    : refusal
  return form(parts, { ...asked, link }, { posted, status: answer.status, refusal: shown })
}
