import type { Payable, PayingMethod, Surcharge } from '../../domain/links/open-link.js'
import type { Minor } from '../../schema/money.js'
import { type Html, html } from '../html/html.js'
import { displayAmount } from './display-amount.js'
import type { Texts } from './texts/payer-english.js'
import { fillText } from './texts/payer-texts.js'

type Terms = Pick<Payable, 'surcharges' | 'amount' | 'takesParts'>

/** The convenience fee of a method, in words; undefined when there is none. */
export function surchargeNote(terms: Terms, method: PayingMethod, texts: Texts): Html | undefined {
  const known = surchargesOf(terms, method)
  if (known.every(({ amount }) => amount === 0)) return undefined
  const kinds = {
    credit: texts.creditCards,
    debit: texts.debitCards,
    prepaid: texts.prepaidCards,
    bank_account: texts.bankAccounts,
  }
  const [one] = uniform(known) ? known : []
  const parts = one
    ? displayAmount(one.amount)
    : known
        .map(({ kind, amount }) =>
          fillText(texts.feePart, { amount: displayAmount(amount), kind: kinds[kind] }),
        )
        .join(', ')
  const note = fillText(terms.takesParts ? texts.feeOnWhole : texts.fee, {
    parts,
    amount: displayAmount(terms.amount),
  })
  return html`<p>${note}</p>
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
