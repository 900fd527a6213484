import { answeredText, minorIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../../schema/json.js'
import { moneyWithCurrency } from '../../../schema/money.js'
import { MIN_ROLE, reaches } from '../../../schema/role.js'
import { notice } from '../../html/form.js'
import { type Html, html } from '../../html/html.js'
import { type PageAddress, pageAddress } from '../../html/page-address.js'
import { consoleAddress } from '../console-page.js'
import { cardHtml, factsHtml } from '../elements/facts.js'
import { actionLink, headingHtml } from '../elements/list-html.js'
import { wordHtml } from '../elements/value.js'
import { activityOf } from '../lists/activity-list.js'
import { valueContextOf } from '../lists/value-context.js'
import { idLead, objectPage } from '../objects/object-page.js'
import type { ResourcePages } from '../objects/resource-pages.js'
import type { ConsoleWrite } from '../write/console-write.js'
import { plainAmount } from '../write/typed-amount.js'
import type { WriteField } from '../write/write-fields.js'
import { acceptWrite, contestWrite, disputeFacts, takesAnswer } from './dispute-answers.js'
import { openPaymentWrite, writeOfPayment } from './opened-payment.js'

/** Filters and order of the disputes that wait for an answer, the first deadline first. */
export const WAITING_DISPUTES = [
  ['stage', 'inquiry|needs_response'],
  ['answered_at', 'null'],
  ['order_by', 'due_by'],
] as const

/** Disputes: those that wait for an answer first, each with its facts, its possible answers, and its activity. */
export const disputePages: ResourcePages = {
  resource: 'dispute',
  at: ['disputes'],
  list: {
    first: { query: WAITING_DISPUTES, unmatched: 'No dispute waits for an answer.' },
    links: [{ label: 'All disputes', path: ['disputes'], query: [['order_by', 'desc(created_at)']] }],
    heading: 'Disputes',
    lead: 'Payments that payers dispute at their banks. An inquiry has moved no money; evidence is submitted once, in time.',
    columns: ['created_at', 'stage', 'amount', 'reason', 'due_by', 'transaction_id', 'processing_id'],
    empty: {
      what: 'Disputes appear here when a bank inquires about a payment, or takes it back.',
      testCommand: 'payctl simulate chargeback TRANSACTION',
    },
  },
  object: objectPage({
    fields: () => ['evidence'],
    title: () => 'Dispute',
    body: async (dispute, { request, resource, id }) => {
      const { environment, principal } = request.visitor
      const values = valueContextOf(request.visitor)
      const mayAnswer = takesAnswer(dispute) && reaches(principal.role ?? 'owner', resource.least)
      const linkTo = (verb: string) => pageAddress(consoleAddress(environment, ['disputes', id, verb]))
      const stage = answeredText(dispute, 'stage') ?? ''
      return html`${headingHtml('Dispute', html`${wordHtml(stage)} ${idLead(id)}`)}
${waitingHtml(dispute)}<div class="cards">
${cardHtml('Facts', factsHtml(disputeFacts(dispute, values)))}${mayAnswer ? cardHtml('What can be done', answersHtml(linkTo)) : undefined}</div>
${await activityOf(request, id)}`
    },
  }),
  writes: [acceptWrite, contestWrite],
}

function waitingHtml(dispute: JsonObject): Html | undefined {
  return answeredText(dispute, 'pending_operation') === undefined
    ? undefined
    : notice('note', 'An answer was sent, and the gateway has not said yet what became of it.')
}

function answersHtml(linkTo: (verb: string) => PageAddress): Html {
  return html`<dl class="facts">
<dt>${actionLink(linkTo('contest'), 'Contest')}</dt><dd>Evidence is submitted to the bank, once.</dd>
<dt>${actionLink(linkTo('accept'), 'Accept')}</dt><dd>It is given up, and lost.</dd>
</dl>`
}

const EVENTS = [
  {
    value: 'inquiry',
    label: 'Inquiry',
    hint: 'The bank inquires: no money moves, and the payment stays refundable.',
  },
  { value: 'chargeback', label: 'Charged back', hint: 'The bank took the money back for its customer.' },
  { value: 'return', label: 'Returned', hint: 'The bank returned a debit of a bank account; that is final.' },
  { value: 'dispute_won', label: 'Won', hint: 'The dispute was won: the bank gives the money back.' },
  {
    value: 'dispute_lost',
    label: 'Lost',
    hint: 'The dispute was lost: what was taken stays with the payer.',
  },
] as const

/**
 * Records an action of the payer's bank. In the test environment the bank is simulated. In the live environment the
 * operator enters the report of the processor.
 */
export const disputeWrite: ConsoleWrite = {
  at: ['transactions', ':id', 'dispute'],
  least: MIN_ROLE.dispute,
  open: async (request, id) =>
    await openPaymentWrite(request, id, (payment) => {
      const isLive = request.visitor.environment === 'live'
      const status = answeredText(payment.transaction, 'status')
      const isOpen = status === 'processed' || status === 'rejected'
      return {
        ...writeOfPayment(payment, isLive ? 'Record a dispute of' : 'Simulate a dispute of'),
        summary: isLive
          ? 'Record what the bank of the payer did, as the processor reports it. It is booked like a report of the gateway.'
          : 'Simulate an action of the bank of the payer. No real bank takes part.',
        label: 'Record',
        fields: isLive ? [eventField, amountField, disputeField] : [eventField, amountField],
        closed: isOpen ? undefined : 'Only a payment that was processed is disputed.',
        send: (values) => {
          const amount = plainAmount(values.get('amount'))
          return {
            method: 'POST',
            path: isLive ? '/admin/disputes' : '/admin/simulate',
            body: {
              event: values.get('event') ?? '',
              transaction_id: id,
              ...(amount !== '' && { amount }),
              ...(isLive && { dispute: values.get('dispute') ?? '' }),
            },
          }
        },
        preview: (recorded, values) => ({
          facts: [
            ['Recorded', EVENTS.find(({ value }) => value === values.get('event'))?.label],
            ['Amount', moneyWithCurrency(minorIn(recorded, 'amount') ?? 0)],
            ['Fee of the merchant', amountText(minorIn(recorded, 'fee'))],
            ['Beyond the payment, a loss', amountText(minorIn(recorded, 'excess'))],
            ['Dispute', values.get('dispute')],
            ['Status of the payment then', answeredText(recorded, 'status')],
          ],
        }),
      }
    }),
}

function amountText(minor: number | undefined): string | undefined {
  return minor === undefined || minor === 0 ? undefined : moneyWithCurrency(minor)
}

const eventField: WriteField = {
  kind: 'choice',
  name: 'event',
  label: 'What the bank did',
  options: EVENTS,
  required: true,
}

const amountField: WriteField = {
  kind: 'text',
  name: 'amount',
  label: 'Amount',
  hint: 'All of the payment unless given.',
  inputmode: 'decimal',
  autocomplete: 'off',
}

const disputeField: WriteField = {
  kind: 'text',
  name: 'dispute',
  label: 'Id of the dispute at the processor',
  hint: 'It is recorded once by this id.',
  maxlength: 100,
  autocomplete: 'off',
  required: true,
}
