import type { Work } from '../../engine/core/write/work.js'
import { nothingAtAll, plus, sorted, type Totals, totalsOf } from './item.js'
import { type Group, readItems } from './read-items.js'

/** Reads; each is short, so that nobody waits for it. */
export interface Reading {
  read<T>(job: (work: Work) => Promise<T>): Promise<T>
}

/** What a group comes to, apart for what has something due and for what has fees only. */
export interface GroupTotals {
  readonly entering: Totals
  readonly lone: Totals
}

export const emptyGroup: GroupTotals = { entering: nothingAtAll, lone: nothingAtAll }

export function plusGroup(a: GroupTotals, b: GroupTotals): GroupTotals {
  return { entering: plus(a.entering, b.entering), lone: plus(a.lone, b.lone) }
}

/** Adds a group up, part by part, in little memory however large it is. */
export async function readTotals({ read }: Reading, group: Group): Promise<GroupTotals> {
  let totals = emptyGroup
  let after = ''
  for (;;) {
    const items = await read((work) => readItems(work, group, after, { locked: false }))
    const last = items.at(-1)
    if (!last) return totals
    const { entering, lone } = sorted(items)
    totals = plusGroup(totals, { entering: totalsOf(entering), lone: totalsOf(lone) })
    after = last.id
  }
}
