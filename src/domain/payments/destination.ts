/** Where a payment goes by what it names: an account, or the only one there is. Money: "Before a payment is taken". */
export type Destination =
  | { readonly kind: 'named'; readonly id: string }
  | { readonly kind: 'only' }
  | { readonly kind: 'missing' }

export interface Naming {
  /** The transaction's `processing_id`. */
  readonly asked: string | null | undefined
  /** The customer's `primary_processing_id`. */
  readonly primary: string | null | undefined
  /** Processing accounts that the caller is narrowed to; nothing: all of the environment. */
  readonly scope: readonly string[] | undefined
}

/** The first that leads somewhere: `processing_id`, the customer's primary, the key's only account, the environment's. */
export function chooseDestination({ asked, primary, scope }: Naming): Destination {
  const id = asked ?? primary ?? (scope?.length === 1 ? scope[0] : undefined)
  if (id) return { kind: 'named', id }
  return scope ? { kind: 'missing' } : { kind: 'only' }
}
