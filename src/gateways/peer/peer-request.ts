import { formatMoney } from '../../schema/money.js'
import type { Credentials, GatewayMethod, GatewayOperation } from '../contract.js'

/** A request to a peer's HTTP API. */
export interface PeerRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: Body
}

interface Body {
  readonly [attribute: string]: unknown
}

/** Makes the request for an operation. `parentId` is the peer's id of the captured, voided or refunded payment. */
export function peerRequest(
  operation: GatewayOperation,
  parentId: string | undefined,
  { merchant }: Credentials,
): PeerRequest {
  const { type, amount, reference, description, orderNumber, descriptor } = operation
  const transaction: Body = {
    amount: Number(formatMoney(amount)),
    attrs: { reference },
    ...optional({ description, order_number: orderNumber, descriptor }),
  }
  const begun: Body = {
    ...transaction,
    ...optional({ processing_id: operation.merchant ?? merchant }),
    ...payingBy(operation.method),
    ...optional({ return_url: operation.returnUrl }),
  }
  switch (type) {
    case 'sale':
      return creating({ type: 'payment', ...begun })
    case 'authorize':
      return creating({ type: 'payment', status: 'authorized', ...begun })
    case 'credit':
      return creating({ type: 'credit', ...begun })
    case 'refund':
      return parentId === undefined
        ? creating({ type: 'refund', ...begun })
        : creating({ type: 'refund', ...transaction, ledger: [{ assoc_transaction_id: parentId }] })
    case 'capture':
      return operation.isPart ? capturingPart(parentId, amount) : becoming(parentId, 'processed')
    case 'void':
      return becoming(parentId, 'voided')
  }
}

function creating(body: Body): PeerRequest {
  return { method: 'POST', path: '/transactions', body }
}

export function becoming(id = '', status: string): PeerRequest {
  return { method: 'PUT', path: `/transactions/${encodeURIComponent(id)}`, body: { status } }
}

function capturingPart(id = '', amount: number): PeerRequest {
  const body = { amount: Number(formatMoney(amount)) }
  return { method: 'POST', path: `/transactions/${encodeURIComponent(id)}/capture`, body }
}

/** Attributes for the method of an operation: the id of a method at the peer, or a method that is used once. */
function payingBy(method: GatewayMethod | undefined): Body {
  return method?.token === undefined
    ? { payment_method: peerMethod(method) }
    : { payment_method_id: method.token }
}

export function peerMethod(method: GatewayMethod | undefined): Body | undefined {
  if (!method) return undefined
  const { type, number, holder, postalCode } = method
  const address = optional({
    postal_code: postalCode,
    street_address: method.street,
    city: method.city,
    state_province: method.state,
    country_code: method.country,
  })
  return {
    type,
    // The peer must not store the method. If it is kept, payctl stores it.
    keep_active: false,
    ...optional({ account_holder: holder }),
    ...(postalCode !== undefined && { billing_address: address }),
    ...(type === 'card'
      ? { card: { card_number: number, ...optional({ expiry: method.expiry, card_code: method.cardCode }) } }
      : {
          bank_account: {
            account_number: number,
            routing_number: method.routing,
            account_type: method.accountType ?? 'checking',
            ...optional({ account_class: method.accountClass }),
          },
        }),
  }
}

function optional(values: Body): Body {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
