import type { TransactionHistory } from './transaction-history.js'

/** Only what moved money on the way in, a chargeback and a settlement have fees. Money: "Fees". */
export function feeProblems({ row, isBatch }: TransactionHistory): string[] {
  const { type, status, fee, conv_fee: convFee, accrued_fee: accrued } = row
  const isFree = status === 'declined' || status === 'voided'
  const bearsFee = !isFree && (type === 'payment' || type === 'chargeback' || isBatch)
  const bearsConvFee =
    !isFree && (type === 'payment' || type === 'chargeback' || type === 'chargeback_reversal')
  return [
    ...(bearsFee ? [] : costs('fee', fee)),
    ...(bearsFee ? [] : costs('accrued fee', accrued)),
    ...(bearsConvFee ? [] : costs('convenience fee', convFee)),
  ].map((problem) => `A ${type} that is ${status} ${problem}`)
}

function costs(what: string, amount: number | null): string[] {
  return (amount ?? 0) === 0 ? [] : [`has a ${what} of ${amount}`]
}
