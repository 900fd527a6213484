import { isTree } from '../../../schema/types.js'

/** Methods that a link's page accepts. */
export interface CheckoutOptions {
  readonly card: boolean
  readonly bank_account: boolean
}

const OPTIONS = { card: 'card_payments', bank_account: 'bank_account_payments' } as const

/**
 * Reads `checkout_options`: `card_payments` and `bank_account_payments`, each true by default. Other options are
 * stored without effect. Returns a text with the problem if there is one.
 */
export function readCheckoutOptions(value: unknown): CheckoutOptions | string {
  if (value === undefined || value === null) return { card: true, bank_account: true }
  if (!isTree(value)) return 'Must be an object'
  const card = flagOf(value[OPTIONS.card])
  const bank = flagOf(value[OPTIONS.bank_account])
  if (card === undefined || bank === undefined)
    return `${OPTIONS.card} and ${OPTIONS.bank_account} must be true or false`
  return card || bank ? { card, bank_account: bank } : 'Must allow card or bank account payments'
}

function flagOf(value: unknown): boolean | undefined {
  if (value === undefined || value === null || value === true || value === 'true') return true
  return value === false || value === 'false' ? false : undefined
}
