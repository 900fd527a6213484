import { invalidAttributes } from '../../../engine/core/request/errors.js'
import { formatMoney, LARGEST, type Minor } from '../../../schema/money.js'

/** `amount × qty`, in minor units. Throws `InvalidAttributes` beyond the largest amount of the interface. */
export function itemTotal(amount: Minor, qty: number): Minor {
  if (Math.abs(amount) * qty > LARGEST)
    throw invalidAttributes({ amount: `Times qty must be at most ${formatMoney(LARGEST)}` })
  return amount * qty
}
