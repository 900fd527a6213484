/** Occasions of mail about a dispute. */
export type DisputeOccasion = 'inquiry' | 'needs_response' | 'due' | 'won' | 'lost'

/** The texts of mail in one language; `merchant`, `amount` and the like are inserted unchanged. */
export interface MailTexts {
  /** BCP 47 tag for amounts and dates. */
  readonly tag: string
  readonly testNotice: string
  readonly footer: (merchant: string) => string
  readonly answers: string
  readonly unsubscribe: string
  readonly labels: {
    readonly amount: string
    readonly surcharge: string
    readonly total: string
    readonly date: string
    readonly method: string
    readonly reference: string
    readonly order: string
    readonly description: string
    readonly invoice: string
    readonly due: string
    readonly amountDue: string
    readonly paid: string
    readonly expires: string
  }
  readonly receipt: {
    readonly subject: Readonly<Record<'payment' | 'refund' | 'credit', (merchant: string) => string>>
    readonly text: Readonly<
      Record<'payment' | 'refund' | 'credit', (amount: string, merchant: string) => string>
    >
    readonly button: string
  }
  readonly invoice: {
    readonly subject: (number: string, merchant: string) => string
    readonly text: (merchant: string, amount: string) => string
    readonly automatic: (date: string, method: string) => string
    readonly button: string
  }
  readonly reminder: {
    readonly subject: (amount: string, date: string, merchant: string) => string
    readonly text: (amount: string, date: string) => string
    readonly button: string
  }
  readonly failedPayment: {
    readonly subject: (merchant: string) => string
    readonly text: (amount: string, method: string) => string
    readonly noMethod: (amount: string) => string
    readonly next: string
    readonly button: string
    /** Label of the link on which the card on file is replaced. */
    readonly replace: string
  }
  readonly expiringCard: {
    readonly subject: (merchant: string) => string
    readonly text: (method: string, month: string) => string
    readonly next: (merchant: string) => string
    readonly button: string
  }
  readonly paymentLink: {
    readonly subject: (amount: string, merchant: string) => string
    readonly text: (merchant: string, amount: string) => string
    readonly button: string
  }
  /** Texts for the merchant, by the occasion. */
  readonly dispute: {
    readonly label: string
    readonly subject: Readonly<Record<DisputeOccasion, (amount: string, merchant: string) => string>>
    readonly text: Readonly<Record<DisputeOccasion, (amount: string) => string>>
  }
  readonly methodLink: {
    readonly subject: (merchant: string) => string
    readonly text: (merchant: string) => string
    readonly button: string
  }
  readonly test: { readonly subject: string; readonly text: string }
}
