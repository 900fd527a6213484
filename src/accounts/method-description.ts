import { lastDigits } from '../schema/wire.js'

const BRAND_NAMES: Readonly<Record<string, string>> = {
  american_express: 'American Express',
  visa: 'Visa',
  discover: 'Discover',
  mastercard: 'Mastercard',
  opticard: 'OptiCard',
}

/** How a card is called: `Visa ending in 4242`. */
export function describeCard(digits: string, brand: string | undefined): string {
  return `${(brand && BRAND_NAMES[brand]) ?? 'Card'} ending in ${lastDigits(digits)}`
}

/** How a bank account is called: `Checking account ending in 7890`. */
export function describeBankAccount(digits: string, accountType: string | undefined): string {
  const kind = accountType === 'savings' ? 'Savings' : 'Checking'
  return `${kind} account ending in ${lastDigits(digits)}`
}
