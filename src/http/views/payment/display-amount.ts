import { CURRENCY, formatMoney, type Minor } from '../../../schema/money.js'

/** An amount as people read it: 123456 is `1,234.56 USD`. */
export function displayAmount(amount: Minor): string {
  return `${groupedAmount(amount)} ${CURRENCY}`
}

/** An amount with commas between thousands, without the currency. */
export function groupedAmount(amount: Minor): string {
  return formatMoney(amount).replace(/\B(?=(\d{3})+\.)/g, ',')
}
