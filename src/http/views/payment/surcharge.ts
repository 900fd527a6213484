import type { OpenedLink, PayingMethod, Surcharge } from '../../../domain/links/open-link.js'
import type { Minor } from '../../../schema/money.js'
import { type Html, html } from '../html.js'
import { displayAmount } from './display-amount.js'

type Terms = Pick<OpenedLink, 'surcharges' | 'amount' | 'takesParts'>

const KINDS = {
  credit: 'credit cards',
  debit: 'debit cards',
  prepaid: 'prepaid cards',
  bank_account: 'bank accounts',
}

/** The convenience fee of a method, in words; undefined when there is none. */
export function surchargeNote(terms: Terms, method: PayingMethod): Html | undefined {
  const known = surchargesOf(terms, method)
  if (known.every(({ amount }) => amount === 0)) return undefined
  const whole = terms.takesParts ? ` when all of ${displayAmount(terms.amount)} is paid` : ''
  const [one] = uniform(known) ? known : []
  const parts = one
    ? displayAmount(one.amount)
    : known.map(({ kind, amount }) => `${displayAmount(amount)} for ${KINDS[kind]}`).join(', ')
  return html`<p>A convenience fee is added: ${parts}${whole}.</p>
`
}

/** The whole charge; undefined when it depends on the card, or on how much is paid. */
export function totalOf(terms: Terms, method: PayingMethod): Minor | undefined {
  const known = surchargesOf(terms, method)
  return terms.takesParts || !uniform(known) ? undefined : terms.amount + (known[0]?.amount ?? 0)
}

function surchargesOf({ surcharges }: Terms, method: PayingMethod): readonly Surcharge[] {
  return surcharges.filter(({ kind }) => (kind === 'bank_account') === (method === 'bank_account'))
}

function uniform(surcharges: readonly Surcharge[]): boolean {
  return new Set(surcharges.map(({ amount }) => amount)).size <= 1
}
