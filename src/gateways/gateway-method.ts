/** A card or a bank account: by its number, or by this gateway's token. */
export interface GatewayMethod {
  readonly type: 'card' | 'bank_account'
  /** The number; empty where a token replaces it. */
  readonly number: string
  readonly token?: string | undefined
  /** False for a method of this operation alone, so that no token is needed. */
  readonly isKept?: boolean | undefined
  /** Id by which the networks know the first payment of a standing consent, and the amount of that payment. */
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
