import { answeredText, objectsIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../../schema/json.js'
import { type Html, html } from '../../html/html.js'
import { amountShown, fieldLabel, idHtml, momentHtml, type ValueContext } from '../elements/value.js'

/** Context of pages about money, besides the objects that they show. */
export interface MoneyContext {
  readonly values: ValueContext
  /** Names of operators by their ids. */
  readonly names: ReadonlyMap<string, string>
}

/** Events in words, by their triggers. */
const EVENTS: Readonly<Record<string, string>> = {
  payment: 'Approved',
  processed: 'Processed: the money is taken',
  authorized: 'Authorized: the money is set aside',
  decline: 'Declined',
  void: 'Voided',
  refund: 'Refund processed',
  credit: 'Credit processed',
  reject: 'Taken back by the bank of the payer',
  deposit: 'Deposited',
  reversal: 'Taken from the bank account of the merchant',
  automatic_payment: 'Taken by its billing schedule',
}

/** Entries of the ledger in words, by the type of the other transaction. */
const ENTRIES: Readonly<Record<string, string>> = {
  payment: 'Belongs to the payment',
  refund: 'Refunded',
  deposit: 'In a deposit',
  reversal: 'In a reversal',
  credit: 'Credited',
  chargeback: 'Charged back',
  chargeback_reversal: 'Chargeback won back',
}

/**
 * The history of a transaction in words: its events, ledger entries and invoices. Other steps, such as postings, are
 * left out.
 */
export function timelineHtml(explanation: JsonObject, context: MoneyContext): Html {
  const steps = objectsIn(explanation, 'steps')
  const shown = steps.filter((step) =>
    ['event', 'ledger', 'invoice'].includes(answeredText(step, 'kind') ?? ''),
  )
  return html`<ol class="timeline">
${shown.map((step) => stepHtml(step, context))}</ol>`
}

function stepHtml(step: JsonObject, { values, names }: MoneyContext): Html {
  const by = answeredText(step, 'by')
  const related = answeredText(step, 'related_id')
  const resource = answeredText(step, 'kind') === 'invoice' ? 'invoice' : 'transaction'
  const { amount = null } = step
  return html`<li><p>${stepWords(step)}${amount === null ? undefined : ` · ${amountShown(amount)}`}${
    related && html` · ${idHtml(related, values.addressOf(resource, related))}`
  }</p>
<p class="faint">${momentHtml(answeredText(step, 'at') ?? '', values.zone)}${by && ` · ${names.get(by) ?? doerWords(by)}`}</p></li>
`
}

function stepWords(step: JsonObject): string {
  const what = answeredText(step, 'what') ?? ''
  switch (answeredText(step, 'kind')) {
    case 'event': {
      const trigger = what.split(':', 1)[0] ?? ''
      return EVENTS[trigger] ?? fieldLabel(trigger)
    }
    case 'ledger':
      return entryWords(what)
    default:
      return fieldLabel(what)
  }
}

/** An entry of a ledger in words, by the type of the other transaction. */
export function entryWords(type: string): string {
  return ENTRIES[type] ?? fieldLabel(type)
}

/** Words for an author that is not an operator with a name; other ids are returned unchanged. */
export function doerWords(id: string): string {
  switch (id) {
    case 'owner':
      return 'the owner, at the terminal'
    case 'system':
      return 'payctl by itself'
    default:
      return id
  }
}
