import type { Work } from '../../engine/core/write/work.js'
import type { GatewayMethod, PayerFields, RemoteGateway } from '../../gateways/contract.js'
import type { GatewayAccount, Gateways, Routing } from './gateways.js'

export type { FieldsOrigins, PayerFields } from '../../gateways/contract.js'

/** Input fields of a gateway, embedded in a page, where payers enter their method. */
export interface FieldsEntry extends GatewayAccount {
  readonly kind: 'fields'
  /** The fields for one page. Rejects when the gateway cannot be reached. */
  open(): Promise<PayerFields>
}

/** The way in which a payer's method is entered: typed into a page of this service, or into fields of a gateway. */
export type PayerEntry = { readonly kind: 'typed' } | FieldsEntry

const TYPED: PayerEntry = { kind: 'typed' }

/**
 * The way in which a payer's method is entered for the gateway that a payment would go to; undefined if none accepts
 * it. Card numbers are typed only for the simulator, and where the operator allows it (`card_entry`). Bank account
 * numbers are typed where the gateway accepts them.
 */
export async function payerEntry(
  work: Work,
  gateways: Gateways,
  routing: Routing,
): Promise<PayerEntry | undefined> {
  const routed = await gateways.routedNow(work, routing)
  if (!routed) return undefined
  const { gateway, merchant } = routed
  if (gateway.kind === 'embedded') return TYPED
  const row = (await gateways.withRow(work, gateway.name))?.row
  if (!row) return TYPED
  const { method } = routing
  const refused = await gateways.refusedKinds(work, row, merchant)
  if (refused.has(method)) return undefined
  const takesTyped = method === 'bank_account' ? takesBankNumbers(gateway) : row.card_entry === 1
  if (takesTyped) return refused.has('card_number') && method === 'card' ? undefined : TYPED
  return fieldsEntry(gateway, merchant, method)
}

function fieldsEntry(
  gateway: RemoteGateway,
  merchant: string | null,
  method: GatewayMethod['type'],
): FieldsEntry | undefined {
  const { fields, fieldMethods } = gateway
  if (!fields || !fieldMethods?.().includes(method)) return undefined
  return {
    kind: 'fields',
    gateway: gateway.name,
    merchant,
    open: async () => await fields.call(gateway, merchant ?? undefined),
  }
}

/** Whether numbers of bank accounts can be charged as a payer types them, without a verification of the account. */
function takesBankNumbers({ capabilities: { methods, bankNumbers } }: RemoteGateway): boolean {
  return methods.includes('bank_account') && bankNumbers
}
