import { answeredText, minorIn, objectIn, objectsIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../../schema/json.js'
import { notice } from '../../html/form.js'
import { type Html, html } from '../../html/html.js'
import type { PageAddress } from '../../html/page-address.js'
import { cardHtml, factsHtml, type ShownFact, trailHtml } from '../elements/facts.js'
import { actionLink, headingHtml, tableHtml } from '../elements/list-html.js'
import {
  amountShown,
  bdiHtml,
  fieldLabel,
  idHtml,
  momentHtml,
  momentsHtml,
  urlHtml,
  wordHtml,
} from '../elements/value.js'
import { declineAdvice } from './decline-words.js'
import { doerWords, entryWords, type MoneyContext, timelineHtml } from './timeline-html.js'

export interface TransactionParts extends MoneyContext {
  readonly transaction: JsonObject
  readonly explanation: JsonObject
  readonly attempts: readonly JsonObject[]
  /** Payment links with which the payer of a declined automatic payment can pay. */
  readonly payLinks: readonly JsonObject[]
  /** Activity of the transaction and of its refunds. */
  readonly activity: Html | undefined
  /** Actions that its state and the visitor's role allow, the most usual first. */
  readonly actions: readonly TransactionAction[]
  /** The list of transactions. */
  readonly list: PageAddress
  /** The page that sends an attempt again; undefined if the visitor may not do that. */
  readonly resend: ((attempt: string) => PageAddress) | undefined
}

interface TransactionAction {
  readonly label: string
  readonly address: PageAddress
  /** Whether its button may be the prominent one. */
  readonly isUsual: boolean
}

/** The page of a transaction. */
export function transactionHtml(parts: TransactionParts): Html {
  const { transaction, explanation, actions, list, values } = parts
  const states = [answeredText(transaction, 'status'), answeredText(transaction, 'funding_status')]
  const shown = [...new Set(states)].flatMap((state) => (state === undefined ? [] : [state]))
  return html`${trailHtml(html`<a href="${list}">Transactions</a>`)}
${headingHtml(
  headingOf(transaction),
  html`${shown.map((state) => html`${wordHtml(state)} `)}${momentHtml(answeredText(transaction, 'created_at') ?? '', values.zone)} · ${answeredText(transaction, 'ref_number')}`,
  actions.map(({ label, address, isUsual }, index) =>
    actionLink(address, label, isUsual && index === 0 ? 'main' : 'quiet'),
  ),
)}
${stateHtml(parts)}<div class="cards">
${cardHtml('Facts', factsHtml(factsOf(parts)), 'tall')}${cardHtml(
  'Where the money is',
  html`<p>${momentsHtml(answeredText(explanation, 'whereabouts') ?? '', values.zone)}</p>
${moneyHtml(parts)}`,
)}${cardHtml('What happened', html`${timelineHtml(explanation, parts)}${journalHtml(parts)}`)}</div>
${ledgerHtml(parts)}<h2>Notifications to webhooks</h2>
${attemptsHtml(parts)}
${parts.activity}`
}

/** Heading of a transaction, as `Payment of $100.00`. */
export function headingOf(transaction: JsonObject): string {
  const type = fieldLabel(answeredText(transaction, 'type') ?? 'transaction')
  const { amount = null } = transaction
  return amount === null ? type : `${type} of ${amountShown(amount)}`
}

function stateHtml({ transaction, payLinks, values }: TransactionParts): Html | undefined {
  const message = answeredText(transaction, 'status_message')
  switch (answeredText(transaction, 'status')) {
    case 'declined': {
      const said = answeredText(transaction, 'gateway_code')
      const advice = declineAdvice(answeredText(transaction, 'status_code'))
      return notice(
        'problem',
        html`<strong>Declined: ${message}.</strong> No money has moved. ${advice}${said && html` The processor said: <bdi>${said}</bdi>.`}${payLinkHtml(payLinks, values)}`,
      )
    }
    case 'rejected':
      return notice('problem', html`<strong>${message}.</strong> The money went back to the payer.`)
    case 'processing':
      if (answeredText(transaction, 'status_code') === 'authentication_required')
        return notice('note', awaitedHtml(transaction, values))
      return notice('note', 'The processor has not said yet what became of it. It is asked again by itself.')
    default:
      return answeredText(transaction, 'risk_flag') === 'in_review'
        ? notice('note', 'It is held for review: allow or deny it before its money is taken.')
        : undefined
  }
}

/** A link to pay after an automatic payment was declined, as long as the link is active. */
function payLinkHtml(
  payLinks: readonly JsonObject[],
  { addressOf }: TransactionParts['values'],
): Html | undefined {
  const link = payLinks.find((one) => answeredText(one, 'status') === 'active')
  const [id, url] = [link && answeredText(link, 'id'), link && answeredText(link, 'url')]
  return id === undefined || url === undefined
    ? undefined
    : html` Its payer can pay in person at ${urlHtml(url)} (${idHtml(id, addressOf('payment_link', id))}).`
}

/** Text about a payer's pending authentication: its address and its deadline. */
function awaitedHtml(transaction: JsonObject, values: TransactionParts['values']): Html {
  const action = objectIn(transaction, 'next_action')
  const [address, end] = [answeredText(action, 'url'), answeredText(action, 'expires_at')]
  if (address === undefined || end === undefined)
    return html`The bank wants to see the payer, who is not there. It is being cancelled at the processor.`
  return html`The payer has to confirm it with their bank until ${momentHtml(end, values.zone)}, at ${urlHtml(address)}. Otherwise it is cancelled at the processor and declined; no money has moved.`
}

function factsOf({ transaction, explanation, values, names }: TransactionParts): readonly ShownFact[] {
  const method = objectIn(transaction, 'payment_method')
  const first = objectsIn(explanation, 'steps').find((step) => answeredText(step, 'by') !== undefined)
  const by = first && answeredText(first, 'by')
  return [
    ['Amount', amountIn(transaction, 'amount')],
    ['Authorized', amountIn(transaction, 'authorized_amount')],
    ['Convenience fee', amountIn(transaction, 'conv_fee')],
    ['Method', methodText(method)],
    ['Account holder', bdiHtml(answeredText(method, 'account_holder'))],
    ['Customer', relatedHtml(transaction, 'customer', values)],
    ['Description', bdiHtml(answeredText(transaction, 'description'))],
    ['Order number', bdiHtml(answeredText(transaction, 'order_number'))],
    ['Merchant', relatedHtml(transaction, 'processing', values)],
    ['Taken by', by && bdiHtml(names.get(by) ?? doerWords(by))],
    ['Payment link', linkedId(transaction, 'payment_link', values)],
    [
      'Gateway',
      bdiHtml(
        [answeredText(transaction, 'gateway'), answeredText(transaction, 'gateway_id')]
          .filter(Boolean)
          .join(' · '),
      ),
    ],
    ['Authorization code', bdiHtml(answeredText(transaction, 'auth_code'))],
    ['Checks', checksText(transaction)],
    ['Risk', riskText(transaction)],
    ['Id', html`<code data-copy="">${answeredText(transaction, 'id')}</code>`],
  ]
}

function amountIn(body: JsonObject, name: string): string | undefined {
  const minor = minorIn(body, name)
  return minor === undefined || (minor === 0 && name !== 'amount')
    ? undefined
    : amountShown(body[name] ?? null)
}

function methodText(method: JsonObject): string | undefined {
  const expiry = answeredText(objectIn(method, 'card'), 'expiry')
  const description = answeredText(method, 'description')
  return description && expiry ? `${description}, expires ${expiry}` : description
}

/** The name of a customer or processing account, with a link to its page. */
function relatedHtml(
  transaction: JsonObject,
  name: 'customer' | 'processing',
  { addressOf }: MoneyContext['values'],
): Html | undefined {
  const id = answeredText(transaction, `${name}_id`)
  if (id === undefined) return undefined
  const address = addressOf(name === 'customer' ? 'customer' : 'processing_account', id)
  const related = objectIn(transaction, name)
  const label = answeredText(related, 'name') ?? answeredText(related, 'email')
  if (label === undefined || address === undefined) return idHtml(id, address)
  return html`<a href="${address}"><bdi>${label}</bdi></a>`
}

function linkedId(body: JsonObject, resource: string, { addressOf }: MoneyContext['values']) {
  const id = answeredText(body, `${resource}_id`)
  return id === undefined ? undefined : idHtml(id, addressOf(resource, id))
}

function checksText(transaction: JsonObject): string | undefined {
  const checks = [
    ['address', answeredText(transaction, 'avs')],
    ['card code', answeredText(transaction, 'cvv_result')],
  ].flatMap(([label, value]) => (value === undefined ? [] : [`${label}: ${value.replaceAll('_', ' ')}`]))
  return checks.length === 0 ? undefined : checks.join(', ')
}

function riskText(transaction: JsonObject): string | undefined {
  const risk = answeredText(transaction, 'risk_flag')?.replaceAll('_', ' ')
  const score = answeredText(transaction, 'risk_score')
  return risk && score !== undefined ? `${risk}, score ${score} of 1` : risk
}

function moneyHtml({ transaction, explanation }: TransactionParts): Html {
  const receipts = objectsIn(transaction, 'receipts').flatMap((receipt) => answeredText(receipt, 'url') ?? [])
  return html`${factsHtml([
    ['Fee', amountShown(transaction.fee ?? 0)],
    ['Fee, with the month', amountIn(transaction, 'accrued_fee')],
    ['Can be refunded', amountIn(explanation, 'refundable')],
    ['Day or month', answeredText(transaction, 'period')],
    [
      'Receipt',
      receipts.length === 0 ? undefined : html`${receipts.map((url) => html`${urlHtml(url, 'Show')} `)}`,
    ],
  ])}`
}

/** The ledger of a payment: its refunds, deposits and disputes. */
function ledgerHtml({ transaction, values: { zone, addressOf } }: TransactionParts): Html | undefined {
  const entries = objectsIn(transaction, 'ledger')
  if (entries.length === 0) return undefined
  return html`<h2>Refunds, deposits and disputes</h2>
${tableHtml({
  id: 'ledger',
  caption: 'The ledger, in order',
  columns: [{ label: 'What' }, { label: 'Other' }, { label: 'Amount', isNumber: true }, { label: 'When' }],
  rows: entries.map((entry) => {
    const other = answeredText(entry, 'assoc_transaction_id') ?? ''
    return [
      entryWords(answeredText(entry, 'entry_type') ?? ''),
      idHtml(other, addressOf('transaction', other)),
      amountShown(entry.amount ?? 0),
      momentHtml(answeredText(entry, 'timestamp') ?? '', zone),
    ]
  }),
})}`
}

function journalHtml({ explanation, values }: TransactionParts): Html | undefined {
  const postings = objectsIn(explanation, 'steps').filter((step) => answeredText(step, 'kind') === 'journal')
  if (postings.length === 0) return undefined
  return html`<details><summary>The journal: ${postings.length} postings</summary>
${tableHtml({
  id: 'journal',
  caption: 'Postings of it',
  columns: [{ label: 'From and to' }, { label: 'Amount', isNumber: true }, { label: 'When' }],
  rows: postings.map((posting) => [
    (answeredText(posting, 'what') ?? '').replaceAll('_', ' '),
    amountShown(posting.amount ?? 0),
    momentHtml(answeredText(posting, 'at') ?? '', values.zone),
  ]),
})}</details>`
}

function attemptsHtml({ attempts, resend, values }: TransactionParts): Html {
  if (attempts.length === 0)
    return html`<p class="faint">No webhook was notified of it, or the attempts were deleted for their age.</p>`
  return tableHtml({
    id: 'attempts',
    caption: 'Attempts, the newest first',
    columns: ['Event', 'To', 'Answer', 'Attempt', 'When', 'Repeat'].map((label) => ({ label })),
    rows: attempts.map((attempt) => {
      const id = answeredText(attempt, 'id')
      const isEnabled = answeredText(objectIn(attempt, 'webhook'), 'status') === 'enabled'
      return [
        fieldLabel(answeredText(attempt, 'trigger') ?? ''),
        bdiHtml(answeredText(attempt, 'url')),
        answerHtml(attempt),
        answeredText(attempt, 'attempt'),
        momentHtml(answeredText(attempt, 'created_at') ?? '', values.zone),
        resend && id && isEnabled ? html`<a href="${resend(id)}">Send again</a>` : undefined,
      ]
    }),
  })
}

/** The status of the receiver's answer, or why there was none. */
function answerHtml(attempt: JsonObject): Html {
  const status = answeredText(attempt, 'http_status') ?? '0'
  const text = status === '0' ? (answeredText(attempt, 'problem') ?? 'no answer') : status
  return html`<span class="badge ${/^2\d\d$/.test(status) ? 'good' : 'bad'}">${text}</span>`
}
