import type { PayerFields } from '../../domain/gateways/payer-entry.js'
import type { Payable, PayingMethod } from '../../domain/links/open-link.js'

/** Fields of a gateway, opened for one page. */
export interface OpenedFields {
  /**
   * Gateway and merchant that made the fields, `stripe` or `stripe/acct_1`. A token must be for the same gateway and
   * merchant.
   */
  readonly place: string
  readonly fields: PayerFields
}

export type FieldsByMethod = ReadonlyMap<PayingMethod, OpenedFields>

/** A payable with the opened card or bank fields of its gateways, by method. */
export interface OpenedPage<P extends Payable> {
  readonly payable: P
  readonly fields: FieldsByMethod
}

/**
 * Opens the fields that a page needs. A method whose fields cannot be opened is not offered; the state is `no_method` if
 * none is left. Call this outside of units of work, as it may query a gateway.
 */
export async function openFields<P extends Payable>(payable: P): Promise<OpenedPage<P>> {
  if (payable.fields.size === 0 || payable.state !== 'payable') return { payable, fields: new Map() }
  const fields = new Map<PayingMethod, OpenedFields>()
  for (const [method, entry] of payable.fields) {
    const opened = await entry.open().catch(() => undefined)
    if (opened) fields.set(method, { place: fieldsPlace(entry), fields: opened })
  }
  const methods = payable.methods.filter((method) => !payable.fields.has(method) || fields.has(method))
  const state = methods.length === 0 ? 'no_method' : payable.state
  return { payable: { ...payable, methods, state }, fields }
}

/** Gateway and merchant as one text, which a form names beside its token. */
export function fieldsPlace({ gateway, merchant }: { gateway: string; merchant: string | null }): string {
  return merchant === null ? gateway : `${gateway}/${merchant}`
}
