import { answeredText, minorIn, objectIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../../schema/json.js'
import { moneyWithCurrency } from '../../../schema/money.js'
import { type Html, html } from '../../html/html.js'
import type { PageAddress } from '../../html/page-address.js'
import { cardHtml, factsHtml } from '../elements/facts.js'
import { headingHtml, tableHtml } from '../elements/list-html.js'
import {
  amountShown,
  bdiHtml,
  fieldLabel,
  idHtml,
  momentHtml,
  type ValueContext,
  wordHtml,
} from '../elements/value.js'
import { headingOf } from './transaction-html.js'

/** The settlement of a gateway that a deposit or reversal was made from. */
export interface ShownSettlement {
  readonly settlement: JsonObject
  /** The settlement line with payments of other merchants at the same gateway account. */
  readonly foreign: JsonObject | undefined
}

export interface DepositPageParts {
  readonly deposit: JsonObject
  /** The first entries of its ledger. */
  readonly entries: readonly JsonObject[]
  /** Count and sum of its entries by the type of the other transaction. */
  readonly sums: readonly JsonObject[]
  /** The settlement that the deposit pays out; undefined if a funding run made the deposit. */
  readonly settlement: ShownSettlement | undefined
  readonly values: ValueContext
  /** The list of all entries. */
  readonly all: PageAddress
}

/** The page of a deposit or reversal: its entries, and the settlement from which it was made. */
export function depositHtml(parts: DepositPageParts): Html {
  const { deposit, values, all, entries, sums } = parts
  const period = answeredText(deposit, 'period')
  const total = sums.reduce((count, sum) => count + Number(sum['count(id)'] ?? 0), 0)
  return html`${headingHtml(
    `${headingOf(deposit)}${period === undefined ? '' : ` for ${period}`}`,
    html`${wordHtml(answeredText(deposit, 'status') ?? '')} ${momentHtml(answeredText(deposit, 'created_at') ?? '', values.zone)} · ${answeredText(deposit, 'ref_number')}`,
  )}
<div class="cards">
${cardHtml('Facts', factsHtml(factsOf(parts)), 'tall')}${cardHtml('How it adds up', sumsHtml(parts))}${cardHtml('Settlement', settlementHtml(parts))}</div>
<h2>What is in it</h2>
${entriesHtml(entries, values)}${
  total > entries.length
    ? html`<p>The first ${entries.length} of ${total}. <a href="${all}">Show or export all of them</a></p>`
    : html`<p><a href="${all}">Show or export them as a list</a></p>`
}`
}

function factsOf({ deposit, values: { addressOf } }: DepositPageParts) {
  const account = answeredText(deposit, 'processing_id')
  const name = answeredText(objectIn(deposit, 'processing'), 'name')
  const address = account && addressOf('processing_account', account)
  const method = answeredText(objectIn(deposit, 'payment_method'), 'description')
  const isReversal = answeredText(deposit, 'type') === 'reversal'
  return [
    ['Merchant', name && address ? html`<a href="${address}"><bdi>${name}</bdi></a>` : account],
    [isReversal ? 'Taken from' : 'Paid into', method],
    ['On', answeredText(deposit, 'processed_date')],
    ['State', answeredText(deposit, 'status_message')],
    ['Description', bdiHtml(answeredText(deposit, 'description'))],
    ['Id', html`<code data-copy="">${answeredText(deposit, 'id')}</code>`],
  ] as const
}

/** Sums of the entries by type, less the fees: together they are the amount of the deposit. */
function sumsHtml({ deposit, sums }: DepositPageParts): Html {
  const fee = minorIn(deposit, 'fee') ?? 0
  const isReversal = answeredText(deposit, 'type') === 'reversal'
  return html`<dl class="pairs">
${sums.map(
  (
    sum,
  ) => html`<dt>${fieldLabel(answeredText(sum, 'entry_type') ?? '')} (${answeredText(sum, 'count(id)')})</dt><dd>${amountShown(sum['sum(amount)'] ?? 0)}</dd>
`,
)}${unexplainedHtml(deposit)}<dt>Fees</dt><dd>${moneyWithCurrency(0 - fee)}</dd>
<dt class="total">${isReversal ? 'Taken back' : 'Paid out'}</dt><dd class="total">${isReversal ? '-' : undefined}${amountShown(deposit.amount ?? 0)}</dd>
</dl>`
}

/** Part of a gateway's payout that matches no transaction; undefined if it is zero. */
function unexplainedHtml(deposit: JsonObject): Html | undefined {
  const amount = minorIn(deposit, 'unexplained') ?? 0
  return amount === 0
    ? undefined
    : html`<dt>Unexplained</dt><dd>${amountShown(deposit.unexplained ?? 0)}</dd>
`
}

function settlementHtml({ settlement: shown, values }: DepositPageParts): Html {
  if (!shown)
    return html`<p class="faint">It was made by the funding run for the business day. No settlement of a gateway belongs to it.</p>`
  const { settlement, foreign } = shown
  const id = answeredText(settlement, 'id') ?? ''
  const money = (name: string) => (settlement[name] == null ? undefined : amountShown(settlement[name]))
  return factsHtml([
    ['Settlement', idHtml(id, values.addressOf('settlement', id))],
    ['Gateway', answeredText(settlement, 'gateway')],
    ['Id at the gateway', answeredText(settlement, 'gateway_id')],
    ['Gross', money('gross')],
    ['Fees of the processor', money('fees')],
    ['Net', money('net')],
    [
      'Of others at the same account',
      foreign &&
        `${amountShown(foreign['amount'] ?? 0)} in ${linesText(foreign)}, less ${amountShown(foreign['fee'] ?? 0)} of fees: outside these books`,
    ],
    ['State', wordHtml(answeredText(settlement, 'status') ?? '')],
    ['Why it failed', bdiHtml(answeredText(settlement, 'failure'))],
    ['Settled', momentHtml(answeredText(settlement, 'settled_at') ?? '', values.zone)],
  ])
}

function linesText(foreign: JsonObject): string {
  const count = answeredText(foreign, 'count') ?? '1'
  return count === '1' ? '1 line' : `${count} lines`
}

function entriesHtml(entries: readonly JsonObject[], { zone, addressOf }: ValueContext): Html {
  if (entries.length === 0)
    return html`<p class="faint">No transactions: it settles fees alone.</p>
`
  return tableHtml({
    id: 'entries',
    caption: 'Entries of its ledger',
    columns: [
      { label: 'What' },
      { label: 'Transaction' },
      { label: 'Amount', isNumber: true },
      { label: 'When' },
    ],
    rows: entries.map((entry) => {
      const other = answeredText(entry, 'assoc_transaction_id') ?? ''
      return [
        fieldLabel(answeredText(entry, 'entry_type') ?? ''),
        idHtml(other, addressOf('transaction', other)),
        amountShown(entry.amount ?? 0),
        momentHtml(answeredText(entry, 'timestamp') ?? '', zone),
      ]
    }),
  })
}
