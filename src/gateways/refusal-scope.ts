/**
 * Operations that a refusal concerns: all of the gateway, those of one merchant there, or those of one merchant by one
 * kind of method. `card_number` is a card by its number, not by a token.
 */
export type RefusalScope = 'gateway' | 'merchant' | 'card' | 'bank_account' | 'card_number'
