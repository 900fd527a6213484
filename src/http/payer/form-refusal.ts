import type { ApiResponse } from '../../engine/core/request/request.js'
import type { Json, JsonObject } from '../../schema/json.js'
import { isTree } from '../../schema/types.js'
import { declineReason } from './payment-states.js'
import { ENGLISH, type Texts } from './texts/payer-english.js'
import { fillText } from './texts/payer-texts.js'

/** Refusal of a payment, in the terms of the form. */
export interface FormRefusal {
  /** Problem of the form as a whole. */
  readonly problem: string | undefined
  /** Problems of fields, by their names. */
  readonly errors: ReadonlyMap<string, string>
}

/** The state of a form that nobody has sent. */
export const NO_REFUSAL: FormRefusal = { problem: undefined, errors: new Map() }

/** Attributes of a payment that are fields of the form, by their path, each with the text for a value that is wrong. */
const FIELDS: Readonly<Record<string, readonly [field: string, wrong: keyof Texts]>> = {
  amount: ['amount', 'wrongAmount'],
  'payment_method.account_holder': ['account_holder', 'wrongField'],
  'payment_method.card.card_number': ['card_number', 'wrongCardNumber'],
  'payment_method.card.expiry': ['expiry', 'wrongExpiry'],
  'payment_method.card.card_code': ['card_code', 'wrongSecurityCode'],
  'payment_method.gateway_token': ['gateway_token', 'fieldsAgain'],
  'payment_method.billing_address.postal_code': ['postal_code', 'wrongField'],
  'payment_method.bank_account.routing_number': ['routing_number', 'wrongRoutingNumber'],
  'payment_method.bank_account.account_number': ['account_number', 'wrongAccountNumber'],
  'payment_method.bank_account.account_type': ['account_type', 'chooseOne'],
}

/** The field of an attribute of a payment, or of a method that is saved alone. */
function fieldAt(path: string) {
  return FIELDS[path] ?? FIELDS[`payment_method.${path}`]
}

/** A refusal of the form as a whole. */
export function formRefusal(problem: string): FormRefusal {
  return { problem, errors: new Map() }
}

/**
 * The refusal of a form for an error of the core, a decline included. English shows the core's texts of fields; the other
 * languages have one text for each field.
 */
export function formRefusalOf({ body }: ApiResponse, texts: Texts): FormRefusal {
  const description = String(body.error_description ?? '')
  const details = isTree(body.details) ? body.details : {}
  if (body.error_type === 'TransactionDeclined') return declined(details, texts)
  if (body.error_type !== 'InvalidAttributes')
    return formRefusal(fillText(texts.refused, { detail: description }))
  const leaves = leavesOf(details, '')
  const errors = leaves.flatMap(([path, text]) => {
    const [field, wrong] = fieldAt(path) ?? []
    if (field === undefined || wrong === undefined) return []
    const isOurs = texts === ENGLISH && field !== 'gateway_token'
    return [[field, isOurs ? text : texts[wrong]] as const]
  })
  const others = leaves.filter(([path]) => fieldAt(path) === undefined).map(([, text]) => text)
  const problem = others.length > 0 ? fillText(texts.refused, { detail: others.join('. ') }) : undefined
  return { problem, errors: new Map(errors) }
}

function declined({ status_code: code }: JsonObject, texts: Texts): FormRefusal {
  const reason = declineReason(typeof code === 'string' ? code : undefined, texts)
  return {
    problem: fillText(texts.declined, { reason }),
    errors: new Map(code === 'card_expired' ? [['expiry', reason]] : []),
  }
}

function leavesOf(value: Json, path: string): (readonly [path: string, text: string])[] {
  if (isTree(value))
    return Object.entries(value).flatMap(([name, inner]) =>
      leavesOf(inner, path === '' ? name : `${path}.${name}`),
    )
  return [[path, String(value)]]
}
