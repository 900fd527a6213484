import { minorIn, objectIn, objectsIn, textIn } from '../../../../schema/answer-values.js'
import type { JsonObject } from '../../../../schema/json.js'
import { notice } from '../../form.js'
import { type Html, html, type Insert } from '../../html.js'
import { pageAddress } from '../../page-address.js'
import { type Fact, factsHtml } from '../facts.js'
import { amountText, badgeHtml, idHtml, linkHtml, tableHtml, timeHtml, wordsOf } from '../shown-values.js'
import { activityHtml } from './activity-html.js'
import { declineAdvice } from './decline-words.js'
import { timelineHtml } from './timeline-html.js'

export interface TransactionParts {
  readonly transaction: JsonObject
  readonly explanation: JsonObject
  readonly attempts: readonly JsonObject[]
  readonly activity: readonly JsonObject[]
  readonly names: ReadonlyMap<string, string>
  /** Buttons of what its state and the role of the visitor allow. */
  readonly actions: readonly {
    readonly label: string
    readonly address: string
    readonly isQuiet?: boolean
  }[]
  /** Address of an object's page. */
  readonly address: (id: string) => string
  /** Address of the list of transactions. */
  readonly list: string
  readonly customer: string | undefined
  /** Address of the page that sends an attempt again; undefined where the visitor may not. */
  readonly resend: ((attempt: string) => string) | undefined
}

/** The page of a transaction. */
export function transactionHtml(parts: TransactionParts): Html {
  const { transaction, explanation, actions, list } = parts
  const status = textIn(transaction, 'status')
  return html`<p class="trail">${linkHtml('Transactions', list)}</p>
<div class="head">
<div><h1>${headingOf(transaction)}</h1>
<p>${badgeHtml(status)} ${textIn(transaction, 'funding_status') && badgeHtml(textIn(transaction, 'funding_status'))} <span class="faint">${timeHtml(textIn(transaction, 'created_at'))} · ${textIn(transaction, 'ref_number')}</span></p></div>
${actions.length === 0 ? undefined : html`<p class="actions">${actions.map(({ label, address, isQuiet }) => html`<a class="${isQuiet ? 'button quiet' : 'button'}" href="${pageAddress(address)}">${label}</a>`)}</p>`}
</div>
${stateHtml(transaction)}<div class="cards">
<section class="card"><h2>Facts</h2>
${factsHtml(factsOf(parts))}</section>
<section class="card"><h2>Where the money is</h2>
<p>${textIn(explanation, 'whereabouts')}</p>
${moneyHtml(parts)}</section>
</div>
<section class="card"><h2>What happened</h2>
${timelineHtml({ steps: objectsIn(explanation, 'steps'), address: parts.address, names: parts.names })}</section>
${journalHtml(explanation)}<section><h2>Notifications to webhooks</h2>
${attemptsHtml(parts)}</section>
<section><h2>Activity</h2>
${activityHtml(parts.activity, parts)}</section>
`
}

/** As `Payment of 100.00 USD`. */
export function headingOf(transaction: JsonObject): string {
  const type = wordsOf(textIn(transaction, 'type') ?? 'transaction')
  const amount = amountText(minorIn(transaction, 'amount'))
  return amount === undefined ? type : `${type} of ${amount}`
}

function stateHtml(transaction: JsonObject): Html | undefined {
  const message = textIn(transaction, 'status_message')
  const code = textIn(transaction, 'status_code')
  switch (textIn(transaction, 'status')) {
    case 'declined': {
      const said = textIn(transaction, 'gateway_code')
      const advice = declineAdvice(code)
      return notice(
        'problem',
        html`<strong>Declined: ${message}.</strong> No money has moved. ${advice}${said && ` The processor said: ${said}.`}`,
      )
    }
    case 'rejected':
      return notice('problem', html`<strong>${message}.</strong> The money went back to the payer.`)
    case 'processing':
      return notice('note', 'The processor has not said yet what became of it. It is asked again by itself.')
    default:
      return textIn(transaction, 'risk_flag') === 'in_review'
        ? notice('note', 'It is held for review: allow or deny it before its money is taken.')
        : undefined
  }
}

function factsOf({ transaction, explanation, customer, address, names }: TransactionParts): readonly Fact[] {
  const method = objectIn(transaction, 'payment_method')
  const payer = objectIn(transaction, 'customer')
  const merchant = objectIn(transaction, 'processing')
  const first = objectsIn(explanation, 'steps').find((step) => textIn(step, 'by') !== undefined)
  const by = first && textIn(first, 'by')
  const name = textIn(payer, 'name') ?? textIn(payer, 'email') ?? textIn(transaction, 'customer_id')
  const checks = [
    ['Address', textIn(transaction, 'avs')],
    ['card code', textIn(transaction, 'cvv_result')],
  ].flatMap(([label, value]) => (value === undefined ? [] : [`${label}: ${wordsOf(value).toLowerCase()}`]))
  const risk = textIn(transaction, 'risk_flag')
  const score = textIn(transaction, 'risk_score')
  return [
    { label: 'Amount', value: amountText(minorIn(transaction, 'amount')) },
    { label: 'Authorized', value: amountText(minorIn(transaction, 'authorized_amount')) },
    { label: 'Convenience fee', value: amountText(minorIn(transaction, 'conv_fee') || undefined) },
    { label: 'Method', value: methodHtml(method) },
    { label: 'Account holder', value: textIn(method, 'account_holder') },
    { label: 'Customer', value: customer !== undefined && name ? linkHtml(name, customer) : name },
    { label: 'Description', value: textIn(transaction, 'description') },
    { label: 'Order number', value: textIn(transaction, 'order_number') },
    {
      label: 'Merchant',
      value: idHtml(textIn(transaction, 'processing_id'), address, textIn(merchant, 'name')),
    },
    { label: 'Taken by', value: by === undefined ? undefined : (names.get(by) ?? by) },
    { label: 'Payment link', value: idHtml(textIn(transaction, 'payment_link_id'), address) },
    { label: 'Gateway', value: gatewayText(transaction) },
    { label: 'Authorization code', value: textIn(transaction, 'auth_code') },
    { label: 'Checks', value: checks.join(', ') },
    { label: 'Risk', value: risk && `${wordsOf(risk)}${score === undefined ? '' : ` (score ${score})`}` },
    { label: 'Id', value: html`<span class="id">${textIn(transaction, 'id')}</span>` },
  ]
}

function methodHtml(method: JsonObject): Insert {
  const expiry = textIn(objectIn(method, 'card'), 'expiry')
  const description = textIn(method, 'description')
  return description && expiry ? `${description}, expires ${expiry}` : description
}

function gatewayText(transaction: JsonObject): string | undefined {
  const id = textIn(transaction, 'gateway_id')
  return [textIn(transaction, 'gateway'), id].filter(Boolean).join(' · ')
}

function moneyHtml({ transaction, explanation, address }: TransactionParts): Html {
  const left = minorIn(explanation, 'refundable') ?? 0
  const receipts = objectsIn(transaction, 'receipts').flatMap((receipt) => textIn(receipt, 'url') ?? [])
  const entries = objectsIn(transaction, 'ledger')
  return html`${factsHtml([
    { label: 'Fee', value: amountText(minorIn(transaction, 'fee')) },
    { label: 'Fee of the month', value: amountText(minorIn(transaction, 'accrued_fee') || undefined) },
    { label: 'Can be refunded', value: left > 0 ? amountText(left) : undefined },
    { label: 'For', value: textIn(transaction, 'period') },
    {
      label: 'Receipt',
      value: receipts.map((url) => html`<a href="${pageAddress(url)}">Show</a> `),
    },
  ])}${
    entries.length === 0
      ? undefined
      : html`<h3>Refunds, deposits and disputes</h3>
${tableHtml(
  'Refunds, deposits and disputes',
  ['What', { label: 'Amount', isNumber: true }, 'When'],
  entries.map((entry) => [
    idHtml(textIn(entry, 'assoc_transaction_id'), address, wordsOf(textIn(entry, 'entry_type') ?? '')),
    amountText(minorIn(entry, 'amount')),
    timeHtml(textIn(entry, 'timestamp')),
  ]),
)}`
  }`
}

function journalHtml(explanation: JsonObject): Html | undefined {
  const postings = objectsIn(explanation, 'steps').filter((step) => textIn(step, 'kind') === 'journal')
  if (postings.length === 0) return undefined
  return html`<details><summary>The journal: ${postings.length} postings</summary>
${tableHtml(
  'Journal',
  ['From and to', { label: 'Amount', isNumber: true }, 'When'],
  postings.map((posting) => [
    (textIn(posting, 'what') ?? '').replaceAll('_', ' '),
    amountText(minorIn(posting, 'amount')),
    timeHtml(textIn(posting, 'at')),
  ]),
)}</details>
`
}

function attemptsHtml({ attempts, resend }: TransactionParts): Html {
  if (attempts.length === 0)
    return html`<p class="faint">No webhook was notified of it, or its attempts are deleted by now.</p>
`
  return tableHtml(
    'Notifications to webhooks',
    ['Event', 'To', 'Answer', 'Attempt', 'When', ''],
    attempts.map((attempt) => {
      const status = textIn(attempt, 'http_status') ?? '0'
      const isGood = /^2\d\d$/.test(status)
      const answer = status === '0' ? (textIn(attempt, 'problem') ?? 'No answer') : status
      const id = textIn(attempt, 'id')
      const isEnabled = textIn(objectIn(attempt, 'webhook'), 'status') === 'enabled'
      return [
        wordsOf(textIn(attempt, 'trigger') ?? ''),
        textIn(attempt, 'url'),
        html`<span class="${isGood ? 'badge good' : 'badge bad'}">${answer}</span>`,
        textIn(attempt, 'attempt'),
        timeHtml(textIn(attempt, 'created_at')),
        resend && id && isEnabled ? linkHtml('Send again', resend(id)) : undefined,
      ]
    }),
  )
}
