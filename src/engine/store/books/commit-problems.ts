import { equalsInConstantTime } from '../../../platform/constant-time.js'
import type { SealLogRow } from '../database/tables.js'
import { rootOf } from './merkle.js'
import { entriesIn } from './read-log.js'
import { chainHash, commitMac, type KeyedHash, type LogEnd } from './seal-log.js'

/** Problems of a commit as the successor of `head`. */
export function commitProblems(commit: SealLogRow, head: LogEnd, keyed: KeyedHash): string[] {
  const problems: string[] = []
  const entries = entriesIn(commit)
  const root = rootOf(entries?.map(({ leaf }) => leaf) ?? [])
  if (commit.id !== head.number + 1)
    problems.push(`Commits ${head.number + 1} to ${commit.id - 1} are missing`)
  if (commit.hash !== chainHash(head.hash, root, commit.id))
    problems.push('Its hash does not follow from its entries and the commit before it')
  if (!equalsInConstantTime(commit.mac, commitMac(commit, keyed)))
    problems.push('It was not made with the key of this home, or names other rows')
  if (!entries) problems.push('It does not have as many rows as digests')
  const before = commit.control === commit.id ? commit.control_before : commit.control
  if (before !== head.control) problems.push('It names another commit as the last that changed control')
  return problems
}
