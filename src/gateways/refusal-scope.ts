/**
 * Operations that a refusal affects: all at the gateway, all of one merchant, or those of one merchant with one kind of
 * method. `card_number` means cards sent by number, not by token.
 */
export type RefusalScope = 'gateway' | 'merchant' | 'card' | 'bank_account' | 'card_number'
