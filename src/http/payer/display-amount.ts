import { CURRENCY, groupedMoney, type Minor } from '../../schema/money.js'

/** An amount as people read it: 123456 is `1,234.56 USD`. */
export function displayAmount(amount: Minor): string {
  return `${groupedMoney(amount)} ${CURRENCY}`
}
