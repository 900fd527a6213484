import { lastDigits } from './wire.js'

const BRAND_NAMES: Readonly<Record<string, string>> = {
  american_express: 'American Express',
  visa: 'Visa',
  discover: 'Discover',
  mastercard: 'Mastercard',
  opticard: 'OptiCard',
}

/** Name of a card network; `Card` if it is not known. */
export function brandName(brand: string | undefined): string {
  return (brand && BRAND_NAMES[brand]) ?? 'Card'
}

/** Description of a card: `Visa ending in 4242`. */
export function describeCard(digits: string, brand: string | undefined): string {
  return `${brandName(brand)} ending in ${lastDigits(digits)}`
}

/** Description of a bank account: `Checking account ending in 7890`. */
export function describeBankAccount(digits: string, accountType: string | undefined): string {
  const kind = accountType === 'savings' ? 'Savings' : 'Checking'
  return `${kind} account ending in ${lastDigits(digits)}`
}
