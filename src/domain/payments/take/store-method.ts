import { type ApiError, invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { PaymentMethodRow } from '../../../engine/store/database/tables.js'
import type { GatewayMethod, RemoteGateway, StoreOperation } from '../../../gateways/contract.js'
import { resources } from '../../../resources/resource-table.js'
import { datetimeOf, millisecondsOf } from '../../../schema/datetime.js'
import { statusMessage } from '../../../schema/status-codes.js'
import {
  dropNumbers,
  makeDefault,
  type SaveAtGateway,
  sealedToken,
} from '../../accounts/payment-method-rule.js'
import type { Gateways, Routed } from '../../gateways/gateways.js'
import { noteMisconfigured } from '../../gateways/note-problem.js'
import { completeLink, freeLink, takeLink } from '../parties/pay-through-link.js'
import { storedInstrument } from '../parties/payer.js'
import { dropTokenized, noteMethod } from '../parties/stored-token.js'
import { AUTHENTICATION_REQUIRED, PATIENCE } from '../pending/awaited-payer.js'
import { type Answer, refusalOf } from '../pending/gateway-answer.js'

/**
 * Stores a payment method that a payer saves on a page. The gateway that will charge it is called after the commit. The
 * method cannot pay until the gateway has stored it. A gateway that cannot store a method without a payment gets the
 * method with the first payment.
 */
export function saveAtGateway(gateways: Gateways): SaveAtGateway {
  return async (work, row, { cardCode, isDefault }) => {
    const { gateway, merchant = null } = (await destinationOf(work, gateways, row)) ?? {}
    const isStored = gateway?.kind === 'remote' && gateway.capabilities.store
    const pending = await work.change(resources.payment_method, row.id, {
      pending_store: isDefault ? 'default' : 'kept',
      ...(isStored && row.sealed_token === null && { token_gateway: gateway.name, token_merchant: merchant }),
    })
    if (!isStored) return await stored(work, pending, null, null)
    if (row.saved_by !== null) await takeLink(work, row.saved_by)
    const operation = storeOperation(work, pending, storedInstrument(work, pending, cardCode))
    storeAfterCommit(work, gateway, operation)
    return pending
  }
}

/** Gateway and merchant of a method: those of its token, or those to which its first payment would go. */
async function destinationOf(
  work: Work,
  gateways: Gateways,
  row: PaymentMethodRow,
): Promise<Routed | undefined> {
  const { type, token_gateway: name, token_merchant: merchant, saved_by: linkId } = row
  if (row.sealed_token !== null) {
    const gateway = await gateways.forOperation(work, { gateway: name })
    return gateway && { gateway, merchant }
  }
  const link = linkId === null ? undefined : await work.find(resources.payment_link, linkId)
  return await gateways.routedNow(work, { method: type ?? 'card', processingId: link?.processing_id ?? '' })
}

/**
 * The request to store a payment method; without `method`, the request by which the gateway is queried for the outcome.
 */
export function storeOperation(
  work: Work,
  row: PaymentMethodRow,
  method: GatewayMethod | undefined,
): StoreOperation {
  const { url } = resources.payment_method.fields.next_action.fields
  return {
    reference: row.id,
    merchant: row.token_merchant ?? undefined,
    method,
    returnUrl: work.addresses.show(url, row.id, work.now) ?? undefined,
    consent: {
      text: row.consent__text ?? '',
      givenAt: millisecondsOf(row.consent__given_at ?? row.created_at),
      address: row.consent__address ?? undefined,
    },
  }
}

function storeAfterCommit(work: Work, gateway: RemoteGateway, operation: StoreOperation): void {
  work.afterCommit({
    perform: async () => {
      const answer = await answerToStore(gateway, operation)
      return async (later) =>
        answer === 'unknown' ? undefined : await recordStored(later, operation.reference, answer)
    },
  })
}

async function answerToStore(gateway: RemoteGateway, operation: StoreOperation): Promise<Answer | 'unknown'> {
  try {
    return (await gateway.store?.(operation)) ?? 'unknown'
  } catch {
    return 'unknown'
  }
}

/**
 * Records whether a gateway has stored a method. A refused method is deleted, and the error for the client is returned.
 * Has no effect on a method that is stored already.
 */
export async function recordStored(work: Work, id: string, answer: Answer): Promise<ApiError | undefined> {
  const row = await work.lock(resources.payment_method, id)
  if (!row || row.pending_store === null) return undefined
  if (answer === 'never_seen') return await giveUp(work, row, declined(row, 'never_sent'))
  switch (answer.result) {
    case 'approved':
      await stored(work, row, answer.token ?? null, answer.networkId ?? null)
      if (answer.method) await noteMethod(work, { gateway: row.token_gateway }, row, answer.method)
      return undefined
    case 'pending':
      return undefined
    case 'action':
      if (answer.clientSecret === undefined && answer.redirect === undefined)
        return await giveUp(work, row, declined(row, AUTHENTICATION_REQUIRED))
      if (row.next_action__expires_at === null)
        await work.change(resources.payment_method, id, {
          next_action__expires_at: datetimeOf(work.milliseconds + PATIENCE),
        })
      return undefined
    case 'declined':
      return await giveUp(
        work,
        row,
        declined(row, answer.statusCode === 'voided' ? AUTHENTICATION_REQUIRED : answer.statusCode),
      )
    case 'misconfigured':
      await noteMisconfigured(work, row.token_gateway, answer)
      return await giveUp(work, row, refusalOf(answer))
    case 'not_sent':
      return await giveUp(work, row, refusalOf(answer))
  }
}

/** Deletes a method whose payer did not authenticate in time, or gave up. */
export async function giveUpStoring(work: Work, id: string): Promise<void> {
  const row = await work.lock(resources.payment_method, id)
  if (row && row.pending_store !== null) await giveUp(work, row, undefined)
}

async function stored(
  work: Work,
  row: PaymentMethodRow,
  token: string | null,
  networkId: string | null,
): Promise<PaymentMethodRow> {
  const { id, token_gateway, token_merchant, pending_store: pending } = row
  const done = await work.change(resources.payment_method, id, {
    pending_store: null,
    next_action__expires_at: null,
    ...(networkId !== null && { network_id: networkId }),
    ...(token !== null && sealedToken(work, { id, token_gateway, token_merchant }, token)),
  })
  const kept = token === null ? done : await dropTokenized(work, done)
  if (row.saved_by !== null) await completeLink(work, row.saved_by)
  return pending === 'default' ? await makeDefault(work, kept) : kept
}

async function giveUp(
  work: Work,
  row: PaymentMethodRow,
  refusal: ApiError | undefined,
): Promise<ApiError | undefined> {
  const dropped = await dropNumbers(work, row)
  await work.change(resources.payment_method, row.id, { pending_store: null, next_action__expires_at: null })
  if (row.saved_by !== null) await freeLink(work, row.saved_by)
  await work.deletePlainly(resources.payment_method, dropped)
  return refusal
}

/** Error for a refused method, at the attribute with which the client sent it. */
function declined(row: PaymentMethodRow, statusCode: string): ApiError {
  const message = statusMessage(statusCode)
  if (row.card__card_number !== null) return invalidAttributes({ card: { card_number: message } })
  if (row.bank_account__account_number !== null)
    return invalidAttributes({ bank_account: { account_number: message } })
  return invalidAttributes({ gateway_token: message })
}
