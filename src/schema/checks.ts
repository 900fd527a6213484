/**
 * Documented test numbers that are declined (`41111111111199` and two digits). They are accepted without
 * passing Luhn.
 */
const DECLINING = /^41111111111199\d\d$/

/**
 * Whether digits pass the check digit of card numbers (Luhn), or are one of the documented test numbers
 * that are declined.
 */
export function isCardNumber(digits: string): boolean {
  if (!/^\d+$/.test(digits)) return false
  return DECLINING.test(digits) || luhnSum(digits) % 10 === 0
}

/** Whether nine digits pass the checksum of bank routing numbers (American Bankers Association). */
export function isRoutingNumber(digits: string): boolean {
  if (!/^\d{9}$/.test(digits) || digits === '000000000') return false
  const sum = [...digits].reduce((total, digit, i) => total + Number(digit) * ([3, 7, 1][i % 3] ?? 0), 0)
  return sum % 10 === 0
}

function luhnSum(digits: string): number {
  let sum = 0
  for (let i = digits.length - 1, doubled = false; i >= 0; i--, doubled = !doubled) {
    const value = Number(digits.charAt(i)) * (doubled ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum
}
