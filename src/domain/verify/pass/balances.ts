import type { PostingRow } from '../../../engine/store/database/tables.js'

/** Balances by account of the journal, in minor units; an account that is omitted has 0. */
export type Balances = Readonly<Record<string, number>>

export function balancesOf(
  postings: readonly Pick<PostingRow, 'from_account' | 'to_account' | 'amount'>[],
): Balances {
  const balances: Record<string, number> = {}
  for (const { from_account: from, to_account: to, amount } of postings) {
    balances[from] = (balances[from] ?? 0) - amount
    balances[to] = (balances[to] ?? 0) + amount
  }
  return balances
}

/** Text form of balances; equal balances have equal texts. */
export function shownBalances(balances: Balances): string {
  return Object.entries(balances)
    .filter(([, balance]) => balance !== 0)
    .map(([account, balance]) => `${account} ${balance}`)
    .sort()
    .join(', ')
}
