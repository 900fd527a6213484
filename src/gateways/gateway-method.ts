/** A card or a bank account, with its number or with a token of this gateway. */
export interface GatewayMethod {
  readonly type: 'card' | 'bank_account'
  /** Card or account number; empty if there is a token. */
  readonly number: string
  readonly token?: string | undefined
  /** False if the method is used for this operation only. The gateway then need not make a token. */
  readonly isKept?: boolean | undefined
  /** The card network's id of the payment by which the payer gave a standing consent; `networkAmount` is its amount. */
  readonly networkId?: string | undefined
  readonly networkAmount?: number | undefined
  /** Whether the method was stored before this operation. */
  readonly isStored?: boolean | undefined
  readonly routing?: string | undefined
  readonly accountType?: 'checking' | 'savings' | undefined
  readonly accountClass?: 'personal' | 'business' | undefined
  /** `MM/YY` */
  readonly expiry?: string | undefined
  readonly cardCode?: string | undefined
  readonly holder?: string | undefined
  readonly postalCode?: string | undefined
  readonly street?: string | undefined
  readonly city?: string | undefined
  readonly state?: string | undefined
  readonly country?: string | undefined
}
