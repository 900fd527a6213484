import type { Payable } from '../../domain/links/open-link.js'
import type { Core } from '../../engine/core/core.js'
import type { Principal } from '../../engine/core/request/principal.js'
import type { ApiResponse } from '../../engine/core/request/request.js'
import { isTree } from '../../schema/types.js'
import { displayAmount } from './display-amount.js'
import { type FormRefusal, formRefusal, formRefusalOf } from './form-refusal.js'
import {
  chosenMethod,
  fieldProblems,
  isOfGateway,
  paymentRequest,
  refusedRequest,
  saveRequest,
} from './posted-payment.js'
import type { Texts } from './texts/payer-english.js'
import { fillText } from './texts/payer-texts.js'

/** The form of a payment as it was posted. */
export interface PostedForm {
  readonly payable: Payable
  readonly values: ReadonlyMap<string, string>
  /** The payer, whose only permission is to make this payment. */
  readonly principal: Principal
  readonly texts: Texts
}

/** The outcome of a posted form. */
export type Submitted =
  /** `id` is the id of the payment. The outcome of the payment may still be open. */
  | { readonly kind: 'taken'; readonly id: string }
  /** The payer has to authenticate, at an address of this service. */
  | { readonly kind: 'action'; readonly id: string; readonly address: string }
  /** The form is shown again; with `key` sending it again does not pay again. */
  | { readonly kind: 'again'; readonly status: number; readonly refusal: FormRefusal; readonly key?: string }
  /** Another payment is under way, or this one: its first request may still run. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'refused'; readonly answer: ApiResponse }

/** Whether the gateway refuses every payment because it is misconfigured, so that sending the form again is no use. */
function isRefusedForAll({ body: { details } }: ApiResponse): boolean {
  return isTree(details) && details.status_code === 'gateway_misconfigured'
}

/**
 * Sends the payment of a form to the core. A form that is sent twice pays once, even if the payable has changed in
 * between, because the core checks the idempotency key first.
 */
export async function submitPayment(core: Core, posted: PostedForm): Promise<Submitted> {
  const { payable, values, principal, texts } = posted
  const key = values.get('key') ?? ''
  const method = chosenMethod(payable, values.get('method'))
  if (!isOfGateway(payable, method, values))
    return { kind: 'again', status: 403, refusal: formRefusal(texts.tooOld) }
  const requestOf = payable.saves === undefined ? paymentRequest : saveRequest
  const missing = fieldProblems(payable, method, values, texts)
  if (missing.size > 0) {
    const { errors } = formRefusalOf(
      await core.handle(refusedRequest(payable, method, values, principal)),
      texts,
    )
    const refusal = { problem: undefined, errors: new Map([...errors, ...missing]) }
    return { kind: 'again', status: 400, refusal, key }
  }
  const answer = await core.handle(requestOf(payable, method, values, principal))
  if (answer.status === 200) return takenIn(answer)
  if (isRefusedForAll(answer)) {
    const { merchant } = payable
    return { kind: 'again', status: 503, refusal: formRefusal(fillText(texts.refusedHere, { merchant })) }
  }
  if (answer.status >= 500) return unknownOutcome(values, texts)
  if (answer.body.error_type === 'IdempotencyMismatch')
    return { kind: 'again', status: 409, refusal: formRefusal(texts.sentBefore) }
  return answer.body.error_type === 'Conflict' ? { kind: 'busy' } : { kind: 'refused', answer }
}

/** The form of a payment whose outcome is not known: sending it again does not pay again. */
export function unknownOutcome(values: PostedForm['values'], texts: Texts): Submitted & { kind: 'again' } {
  const key = values.get('key') ?? ''
  return { kind: 'again', status: 503, refusal: formRefusal(texts.unknownOutcome), key }
}

/**
 * The refusal of a payment, as problems of its form. The form has no field for a fixed amount, so a problem of that
 * amount becomes a problem of the whole form.
 */
export function paymentRefusal(payable: Payable, answer: ApiResponse, texts: Texts): FormRefusal {
  const refusal = formRefusalOf(answer, texts)
  if (payable.takesParts || !refusal.errors.has('amount')) return refusal
  return formRefusal(fillText(texts.otherAmount, { amount: displayAmount(payable.amount) }))
}

function takenIn({ body }: ApiResponse): Submitted {
  const id = String(body.id)
  const address = isTree(body.next_action) ? body.next_action.url : undefined
  return typeof address === 'string' ? { kind: 'action', id, address } : { kind: 'taken', id }
}
