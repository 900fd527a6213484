import type { FastifyReply } from 'fastify'
import type { App } from '../../app.js'
import type { Payable } from '../../domain/links/open-link.js'
import { openPayment } from '../../domain/links/open-payment.js'
import { ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import { equalsInConstantTime } from '../../platform/constant-time.js'
import type { Random } from '../../platform/random.js'
import type { JsonObject } from '../../schema/json.js'
import { formatMoney, type Minor, parseMoney } from '../../schema/money.js'
import { isTree } from '../../schema/types.js'
import { postedForm } from '../pages/form-tokens.js'
import { seeOther, sendPage } from '../pages/send-page.js'
import { type FormRefusal, formRefusal, NO_REFUSAL } from '../payer/form-refusal.js'
import { type OpenedPage, openFields } from '../payer/opened-fields.js'
import { outcomeSignature } from '../payer/outcome-page.js'
import { payPage } from '../payer/pay-page.js'
import { declineReason, outcomePage, unpayablePage } from '../payer/payment-states.js'
import { missingPage } from '../payer/plain-page.js'
import { chosenMethod, formKey, isFormKey, repeatable } from '../payer/posted-payment.js'
import { paymentRefusal, submitPayment, unknownOutcome } from '../payer/submit-payment.js'
import { textsIn } from '../payer/texts/payer-texts.js'
import { type HostedEvent, hostedBy } from './hosted-page.js'
import type { HostedDependencies, HostedPage, HostedVisit } from './hosted-visit.js'

/** The page inside of `Payload.Checkout`: the form with which payers make the payment that a client key allows. */
export function checkoutForm({ app, random }: HostedDependencies): HostedPage {
  return {
    name: 'checkout',
    isFramed: true,
    lostText: ({ unknownOutcome }) => unknownOutcome,
    async show(visit) {
      const opened = await openedFor(app, visit)
      const { payable } = opened
      if (payable.state !== 'payable') return showUnpayable(visit, payable, payable.state)
      const values = new Map([
        ['amount', formatMoney(payable.amount)],
        ['method', visit.parameter('method') ?? ''],
      ])
      return sendForm(random, visit, opened, { values, status: 200, refusal: NO_REFUSAL })
    },
    async take(visit) {
      const opened = await openedFor(app, visit)
      const { payable } = opened
      const values = postedForm(visit.request)
      const texts = textsIn(visit.language)
      if (!isFormKey(values.get('key')))
        return sendForm(random, visit, opened, { values, status: 403, refusal: formRefusal(texts.tooOld) })
      const { principal, environment } = visit
      const { core } = await app.environment(environment)
      const submitted = await submitPayment(core, { payable, values, principal, texts })
      switch (submitted.kind) {
        case 'action':
          return seeOther(visit.reply, actionAddress(visit, submitted))
        case 'taken': {
          const signature = outcomeSignature(app, environment, submitted.id)
          return seeOther(visit.reply, visit.address('outcome', { payment: submitted.id, signature }))
        }
        case 'again':
          return sendForm(random, visit, opened, { values, ...submitted })
        case 'busy': {
          const now = await openedFor(app, visit)
          const { state } = now.payable
          if (state !== 'payable') return showUnpayable(visit, now.payable, state)
          return sendForm(random, visit, now, { values, ...unknownOutcome(values, texts) })
        }
        case 'refused': {
          const { status, headers, body } = submitted.answer
          visit.reply.headers(headers)
          // The payable may have changed since the form was shown.
          const now = await openedFor(app, visit)
          const { state } = now.payable
          const refusal = paymentRefusal(now.payable, submitted.answer, texts)
          const event =
            body.error_type === 'TransactionDeclined' ? declined(body.details, refusal) : undefined
          if (state !== 'payable' && !event) return showUnpayable(visit, now.payable, state)
          return sendForm(random, visit, now, { values, status, refusal, event })
        }
      }
    },
  }
}

/** The outcome of a payment in `Payload.Checkout`, which may still be open. */
export function checkoutOutcome({ app }: HostedDependencies): HostedPage {
  return {
    name: 'outcome',
    isFramed: true,
    lostText: ({ unknownOutcome }) => unknownOutcome,
    async show(visit) {
      const id = visit.parameter('payment') ?? ''
      const signature = visit.parameter('signature') ?? ''
      if (equalsInConstantTime(signature, outcomeSignature(app, visit.environment, id)))
        return await showOutcome(app, visit, id)
      return sendPage(visit.reply, 404, missingPage(visit.language, hostedBy(visit.host)))
    },
  }
}

/** The outcome of a payment that the visitor has made, with its event for the shop's page. */
export async function showOutcome(app: App, visit: HostedVisit, id: string): Promise<FastifyReply> {
  const { environment, host, language } = visit
  const { core } = await app.environment(environment)
  const payment = await core.read((work) => openPayment(work, id))
  if (!payment) return sendPage(visit.reply, 404, missingPage(language, hostedBy(host)))
  const { state, reason = null } = payment
  const isDeclined = state === 'declined'
  const event = eventOf(state, {
    transaction_id: id,
    status_code: reason,
    ...(isDeclined && { message: declineReason(reason ?? undefined, textsIn(language)) }),
  })
  return sendPage(
    visit.reply,
    200,
    outcomePage(payment, visit.address('checkout'), language, hostedBy(host, event)),
  )
}

/** The page on which the payer authenticates, in the place of the form. */
function actionAddress(visit: HostedVisit, { id, address }: { id: string; address: string }): string {
  const signature = new URL(address).searchParams.get('signature') ?? ''
  return visit.address('authenticate', { action: id, signature })
}

function eventOf(
  state: 'paid' | 'waiting' | 'held' | 'declined' | 'cancelled',
  payload: JsonObject,
): HostedEvent | undefined {
  switch (state) {
    case 'paid':
      return { event: 'processed', payload }
    case 'held':
      return { event: 'authorized', payload }
    case 'declined':
    case 'cancelled':
      return { event: 'declined', payload }
    case 'waiting':
      return undefined
  }
}

function declined(details: unknown, { problem = '' }: FormRefusal): HostedEvent {
  const { id, status_code: code } = isTree(details) ? details : {}
  return {
    event: 'declined',
    payload: { transaction_id: textOf(id), status_code: textOf(code), message: problem },
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

async function openedFor(app: App, visit: HostedVisit): Promise<OpenedPage<Payable>> {
  const { principal, environment } = visit
  if (principal.grants?.transactions === undefined)
    throw new ApiError('Forbidden', 'The client key makes no payments: its intent must be checkout_plugin')
  const payables = await (await app.environment(environment)).payables()
  return await openFields(await payables.checkout({ principal, amount: amountOf(visit.parameter('amount')) }))
}

function amountOf(text: string | undefined): Minor | undefined {
  if (text === undefined) return undefined
  const amount = parseMoney(text)
  if (amount === undefined) throw invalidAttributes({ amount: 'Must be valid number' })
  return amount
}

function showUnpayable(
  { reply, host, language }: HostedVisit,
  payable: Payable,
  state: Exclude<Payable['state'], 'payable'>,
): FastifyReply {
  return sendPage(reply, 200, unpayablePage(payable, state, language, hostedBy(host)))
}

interface FilledForm {
  readonly values: ReadonlyMap<string, string>
  readonly status: number
  readonly refusal: FormRefusal
  /** The idempotency key of the sent form; kept if sending the form again must not pay again. */
  readonly key?: string | undefined
  readonly event?: HostedEvent | undefined
}

function sendForm(
  random: Random,
  { reply, host, language, address }: HostedVisit,
  { payable, fields }: OpenedPage<Payable>,
  { values, status, refusal, key, event }: FilledForm,
): FastifyReply {
  const form = {
    ...refusal,
    fields,
    method: chosenMethod(payable, values.get('method')),
    values: repeatable(values),
    key: key ?? formKey(random),
  }
  const place = {
    address: (method?: string) => address('checkout', method === undefined ? {} : { method }),
    show: hostedBy(host, event),
  }
  return sendPage(reply, status, payPage(payable, form, language, place))
}
