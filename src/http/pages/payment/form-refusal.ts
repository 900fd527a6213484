import type { ApiResponse } from '../../../engine/core/request/request.js'
import type { Json } from '../../../schema/json.js'
import { isTree } from '../../../schema/types.js'

/** Refusal of a payment, in the terms of the form. */
export interface FormRefusal {
  /** Problem of the form as a whole. */
  readonly problem: string | undefined
  /** Problems of fields, by their names. */
  readonly errors: ReadonlyMap<string, string>
}

/** Attributes of a payment that are fields of the form, by their path. */
const FIELDS: Readonly<Record<string, string>> = {
  amount: 'amount',
  'payment_method.account_holder': 'account_holder',
  'payment_method.card.card_number': 'card_number',
  'payment_method.card.expiry': 'expiry',
  'payment_method.card.card_code': 'card_code',
  'payment_method.billing_address.postal_code': 'postal_code',
  'payment_method.bank_account.routing_number': 'routing_number',
  'payment_method.bank_account.account_number': 'account_number',
  'payment_method.bank_account.account_type': 'account_type',
}

/** A refusal of the form as a whole. */
export function formRefusal(problem: string): FormRefusal {
  return { problem, errors: new Map() }
}

/** The refusal of a form for an error of the core, a decline included. */
export function formRefusalOf({ body }: ApiResponse): FormRefusal {
  const description = String(body.error_description ?? '')
  const details = isTree(body.details) ? body.details : {}
  if (body.error_type === 'TransactionDeclined') {
    return {
      problem: `The payment was declined: ${description}. You have not been charged. To try again, enter the numbers again.`,
      errors: new Map(details.status_code === 'card_expired' ? [['expiry', description]] : []),
    }
  }
  if (body.error_type !== 'InvalidAttributes') return formRefusal(description)
  const leaves = leavesOf(details, '')
  const errors = leaves.flatMap(([path, text]) => {
    const field = FIELDS[path]
    return field === undefined ? [] : [[field, text] as const]
  })
  const others = leaves.filter(([path]) => FIELDS[path] === undefined).map(([, text]) => text)
  return { problem: others.length > 0 ? others.join('. ') : undefined, errors: new Map(errors) }
}

function leavesOf(value: Json, path: string): (readonly [path: string, text: string])[] {
  if (isTree(value))
    return Object.entries(value).flatMap(([name, inner]) =>
      leavesOf(inner, path === '' ? name : `${path}.${name}`),
    )
  return [[path, String(value)]]
}
