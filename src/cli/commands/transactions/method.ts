import process from 'node:process'
import type { JsonObject } from '../../terminal/client/client.js'
import type { GivenFlags } from '../../terminal/command/collect-input.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { has, put } from '../../terminal/input/body.js'
import type { MethodType } from './pay-fields.js'

/**
 * Kind of the payment method that is given by flags or PAYCTL_CARD_NUMBER. Undefined for a saved method, or if `mayAsk`
 * allows a prompt for it. Throws a `UsageError` if there is no method.
 */
export function methodFromFlags(given: GivenFlags, mayAsk: boolean): MethodType | undefined {
  const started = (...names: string[]) => names.some((name) => given[name] !== undefined)
  const card = started('card', 'expiry', 'card-code') || process.env.PAYCTL_CARD_NUMBER !== undefined
  const bank = started('bank-account', 'routing', 'account-type')
  if (started('card', 'expiry', 'card-code') && bank)
    throw new UsageError('Give a card or a bank account, not both')
  if (bank) return 'bank_account'
  if (started('payment-method', 'customer') && !started('card', 'expiry', 'card-code')) return undefined
  if (card) return 'card'
  if (mayAsk) return undefined
  const amount = started('amount') ? '' : '--amount, and one of '
  throw new UsageError(
    `Missing ${amount}--gateway-token, --card - (or PAYCTL_CARD_NUMBER), --bank-account -, --payment-method or --customer`,
  )
}

/** Adds the kind of method and an empty group for it, so that its secrets are read from their variables. */
export function withMethod(body: JsonObject, method: MethodType | undefined): JsonObject {
  if (!method) return body
  put(body, ['payment_method', 'type'], method)
  if (!has(body, ['payment_method', method])) put(body, ['payment_method', method], {})
  return body
}
