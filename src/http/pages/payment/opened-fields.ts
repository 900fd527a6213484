import type { PayerFields } from '../../../domain/gateways/payer-entry.js'
import type { Payable, PayingMethod } from '../../../domain/links/open-link.js'

/** Fields of a gateway in one page. */
export interface OpenedFields {
  /** Gateway and merchant that made them, which a token has to be for: `stripe` or `stripe/acct_1`. */
  readonly place: string
  readonly fields: PayerFields
}

export type FieldsByMethod = ReadonlyMap<PayingMethod, OpenedFields>

/** What is paid on a page, with the fields of gateways that take its methods. */
export interface OpenedPage<P extends Payable> {
  readonly payable: P
  readonly fields: FieldsByMethod
}

/**
 * Opens the fields that a page needs, outside of any unit of work: a gateway may be queried. A method whose fields cannot be
 * had is not offered; without any method nothing is paid here.
 */
export async function openFields<P extends Payable>(payable: P): Promise<OpenedPage<P>> {
  if (payable.fields.size === 0 || payable.state !== 'payable') return { payable, fields: new Map() }
  const fields = new Map<PayingMethod, OpenedFields>()
  for (const [method, entry] of payable.fields) {
    const opened = await entry.open().catch(() => undefined)
    if (opened) fields.set(method, { place: placeOf(entry), fields: opened })
  }
  const methods = payable.methods.filter((method) => !payable.fields.has(method) || fields.has(method))
  const state = methods.length === 0 ? 'no_method' : payable.state
  return { payable: { ...payable, methods, state }, fields }
}

/** Gateway and merchant as one text, which a form names beside its token. */
export function placeOf({ gateway, merchant }: { gateway: string; merchant: string | null }): string {
  return merchant === null ? gateway : `${gateway}/${merchant}`
}
