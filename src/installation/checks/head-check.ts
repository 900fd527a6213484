import { lastCheckpoint } from '../../engine/store/books/checkpoint.js'
import type { KeyedHash } from '../../engine/store/books/seal-log.js'
import { readSignedHead, signedHeadProblem } from '../../engine/store/books/signed-head.js'
import type { Environment, Tx } from '../../engine/store/database/store.js'
import { millisecondsOf } from '../../schema/datetime.js'
import {
  fileText,
  type HeadPlaces,
  headFileElsewhere,
  type PublishedHead,
  readPublishedHead,
} from '../published-heads/publish-head.js'
import { type CheckResult, failed, passed, restoreFix, warning } from './check-result.js'

/** Head outside the home, and the outcome of its last publication. Both were read before the database. */
export interface HeadsElsewhere {
  readonly path: string | undefined
  readonly text: string | undefined
  readonly published: PublishedHead | undefined
}

/** Milliseconds after a checkpoint within which it must be published. */
const LATE = 5 * 60_000

/** Reads the heads outside the home; undefined if none is published. */
export async function readHeadsElsewhere(
  { file, command }: HeadPlaces,
  home: string,
  environment: Environment,
): Promise<HeadsElsewhere | undefined> {
  if (file === undefined && command === undefined) return undefined
  const path = file === undefined ? undefined : headFileElsewhere(file, environment)
  // A file that cannot be read counts as missing; `serve` reports the reason.
  const text = path === undefined ? undefined : await fileText(path).catch(() => undefined)
  return { path, text, published: await readPublishedHead(home, environment) }
}

/**
 * Checks that the books contain the commit of the head published outside the home, and that the last
 * checkpoint was published in time.
 */
export async function checkHeadElsewhere(
  tx: Tx,
  { path, text, published }: HeadsElsewhere,
  known: { readonly environment: Environment; readonly keyed: KeyedHash; readonly now: number },
): Promise<CheckResult> {
  const check = 'head elsewhere'
  const head = text === undefined ? undefined : readSignedHead(text)
  if (text !== undefined && !head)
    return failed(check, `${path} holds something else than a head`, `ls -l ${path}`)
  const problem = head && (await signedHeadProblem(tx, head, known))
  if (problem !== undefined) return failed(check, `${path}: ${problem}`, restoreFix(tx.dialect))
  if (published?.problem != null)
    return failed(check, `${published.problem} (${published.published_at})`, 'payctl serve')
  const last = await lastCheckpoint(tx)
  if (!last) return passed(check, 'nothing is sealed yet')
  const number = path === undefined ? published?.number : head?.number
  if (number === undefined)
    return warning(check, `nothing is published ${path === undefined ? 'yet' : `in ${path}`}`, 'payctl serve')
  const found = `published at commit ${number}`
  return number < last.id && known.now - millisecondsOf(last.signed_at) > LATE
    ? warning(check, `${found}, and the last checkpoint is ${last.id}`, 'payctl serve')
    : passed(check, found)
}
