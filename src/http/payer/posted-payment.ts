import type { OpenedLink, Payable, PayingMethod } from '../../domain/links/open-link.js'
import type { Principal } from '../../engine/core/request/principal.js'
import type { ApiRequest } from '../../engine/core/request/request.js'
import type { Random } from '../../platform/random.js'
import { hasCardNumber } from '../../schema/card-data.js'
import type { JsonObject } from '../../schema/json.js'
import { isTree } from '../../schema/types.js'
import { fieldsPlace } from './opened-fields.js'
import { linkFieldName, paymentFields } from './payment-fields.js'
import type { Texts } from './texts/payer-english.js'

type Posted = ReadonlyMap<string, string>

const KEY_BYTES = 18

/** A new idempotency key for a form. */
export function formKey(random: Random): string {
  return Buffer.from(random.bytes(KEY_BYTES)).toString('base64url')
}

export function isFormKey(text: string | undefined): boolean {
  return text !== undefined && /^[\w-]{24}$/.test(text)
}

/** The named method if the link accepts it; otherwise the first method that the link accepts. */
export function chosenMethod({ methods }: Payable, named: string | undefined): PayingMethod {
  return methods.find((method) => method === named) ?? methods[0] ?? 'card'
}

/** Problems of fields that are missing or hold a forbidden value, by their names. */
export function fieldProblems(
  link: Payable,
  method: PayingMethod,
  posted: Posted,
  texts: Texts,
): Map<string, string> {
  const missing = paymentFields(link, method, texts).filter(
    ({ name, required }) => required && !posted.get(name),
  )
  const entry = link.fields.get(method)
  const token = entry && !posted.get('gateway_token') ? [['gateway_token', texts.fieldsAgain] as const] : []
  const datafields = link.dataFields.map((_, index) => linkFieldName(index))
  const wrong = datafields.filter((name) => hasCardNumber(posted.get(name) ?? ''))
  return new Map([
    ...token,
    ...missing.map(({ name, options }) => [name, options ? texts.chooseOne : texts.missing] as const),
    ...wrong.map((name) => [name, texts.noCardNumberHere] as const),
  ])
}

/** Whether a token was made by the fields of the gateway that takes the payment now: routes may have changed. */
export function isOfGateway(link: Payable, method: PayingMethod, posted: Posted): boolean {
  const entry = link.fields.get(method)
  return entry === undefined || posted.get('fields') === fieldsPlace(entry)
}

/** The values that the form may show again: never a card number that was typed into another field. */
export function repeatable(posted: Posted): Posted {
  return new Map([...posted].filter(([, value]) => !hasCardNumber(value)))
}

/** The request for a payment, as the page of a payer sends it to the core. */
export function paymentRequest(
  link: Payable,
  method: PayingMethod,
  posted: Posted,
  principal: Principal,
): ApiRequest {
  const attrs = Object.fromEntries(
    link.dataFields.flatMap(({ name }, index) => {
      const value = posted.get(linkFieldName(index))
      return value ? [[name, value]] : []
    }),
  )
  return {
    method: 'POST',
    path: '/transactions',
    body: {
      type: 'payment',
      amount: amountOf(posted),
      ...(Object.keys(attrs).length > 0 && { attrs }),
      payment_method: {
        type: method,
        account_holder: posted.get('account_holder') ?? null,
        // If the page does not say that the method is stored, the payer has not agreed to that.
        ...(!link.keepsMethod && { keep_active: false }),
        ...numbersOf(link, method, posted),
      },
    },
    principal,
    through: 'page',
    // A form that is sent twice has the same key, so it pays once.
    idempotencyKey: posted.get('key'),
  }
}

/** The request to save a method, as the page of a link of that type sends it to the core. */
export function saveRequest(
  link: Payable,
  method: PayingMethod,
  posted: Posted,
  principal: Principal,
): ApiRequest {
  return {
    method: 'POST',
    path: '/payment_methods',
    body: {
      type: method,
      account_holder: posted.get('account_holder') ?? null,
      ...numbersOf(link, method, posted),
    },
    principal,
    through: 'page',
    idempotencyKey: posted.get('key'),
  }
}

/** The amount, which may have commas between thousands, as the page shows it. */
function amountOf(posted: Posted): string | null {
  return posted.get('amount')?.replace(/,(?=\d{3}(\D|$))/g, '') ?? null
}

function numbersOf(link: Payable, method: PayingMethod, posted: Posted): JsonObject {
  const named = (...names: readonly string[]): JsonObject =>
    Object.fromEntries(names.map((name) => [name, posted.get(name) ?? null]))
  const entry = link.fields.get(method)
  if (entry) {
    const { gateway, merchant } = entry
    const token = posted.get('gateway_token') ?? ''
    return {
      gateway_token: { gateway, token, ...(merchant !== null && { merchant }) },
      ...(method === 'card' && { billing_address: named('postal_code') }),
    }
  }
  if (method === 'bank_account')
    return { bank_account: named('routing_number', 'account_number', 'account_type') }
  return {
    card: named('card_number', 'expiry', 'card_code'),
    billing_address: named('postal_code'),
  }
}

/**
 * A request that the core must refuse, as its type is null: the refusal contains the problems of an incomplete form.
 */
export function refusedRequest(
  link: Payable,
  method: PayingMethod,
  posted: Posted,
  principal: Principal,
): ApiRequest {
  const requestOf = link.saves === undefined ? paymentRequest : saveRequest
  const { body, idempotencyKey: _, ...request } = requestOf(link, method, posted, principal)
  return { ...request, body: { ...(isTree(body) ? body : {}), type: null } }
}

/**
 * Principal of a payer: a visitor with the address of a link may pay it, and has no other permission. `payer` has the
 * payer's own address and device if they are known.
 */
export function linkPayer({ id }: OpenedLink, payer: Pick<Principal, 'address' | 'device'>): Principal {
  return {
    kind: 'client',
    id: `payer of ${id}`,
    manage: false,
    grants: { transactions: ['POST'] },
    intent: { payment_link_id: id },
    ...payer,
  }
}

/**
 * Principal of a customer who saves a method on the page of a link, and has no other permission. `consent` is the text
 * that the page shows.
 */
export function linkSaver(
  { id, saves }: OpenedLink,
  address: string | undefined,
  consent: string,
): Principal {
  return {
    kind: 'client',
    id: `customer of ${id}`,
    manage: false,
    grants: { payment_methods: ['POST'] },
    intent: { account_id: saves, default_payment_method: 1, payment_link_id: id, consent },
    address,
  }
}
