import { minorIn, textIn } from '../../../../schema/answer-values.js'
import type { JsonObject } from '../../../../schema/json.js'
import { type Html, html } from '../../html.js'
import { amountText, idHtml, timeHtml, wordsOf } from '../shown-values.js'

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

interface TimelineParts {
  readonly steps: readonly JsonObject[]
  /** Address of an object's page. */
  readonly address: (id: string) => string
  readonly names: ReadonlyMap<string, string>
}

/** The history of a transaction in words, without what only bookkeepers and receivers of webhooks read. */
export function timelineHtml({ steps, address, names }: TimelineParts): Html | undefined {
  const shown = steps.filter((step) => ['event', 'ledger', 'invoice'].includes(textIn(step, 'kind') ?? ''))
  if (shown.length === 0) return undefined
  return html`<ol class="timeline">
${shown.map((step) => {
  const by = textIn(step, 'by')
  const related = textIn(step, 'related_id')
  const amount = amountText(minorIn(step, 'amount'))
  return html`<li><p>${stepWords(step)}${amount && ` · ${amount}`}${related && html` · ${idHtml(related, address)}`}</p>
<p class="faint">${timeHtml(textIn(step, 'at'))}${by && ` · ${names.get(by) ?? doerWords(by)}`}</p></li>
`
})}</ol>
`
}

function stepWords(step: JsonObject): string {
  const what = textIn(step, 'what') ?? ''
  switch (textIn(step, 'kind')) {
    case 'event': {
      const trigger = what.split(':', 1)[0] ?? ''
      return EVENTS[trigger] ?? wordsOf(trigger)
    }
    case 'ledger':
      return ENTRIES[what] ?? wordsOf(what)
    default:
      return wordsOf(what)
  }
}

/** Who did something, where no operator with a name did. */
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
