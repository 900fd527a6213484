import { ApiError, invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { AdminRules } from '../../../engine/core/write/rule.js'
import type { Work } from '../../../engine/core/write/work.js'
import { waitForName } from '../../../engine/store/database/differences.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { OperatorEntryRow, OperatorRow } from '../../../engine/store/database/tables.js'
import type { Random } from '../../../platform/random.js'
import { resources } from '../../../resources/resource-table.js'
import { datetimeOf } from '../../../schema/datetime.js'
import { reaches } from '../../../schema/role.js'
import { permissionsOfMaker, refuseExceeding } from '../keys/maker.js'
import { makeKey } from '../keys/secret.js'
import { expectSealed } from '../seals/not-as-sealed.js'

/** Milliseconds for which an entry code is valid, by the real clock. */
const LIFETIME = 2 * 60_000
/** Milliseconds for which expired codes are kept, so that a used one can be recognized. */
const KEPT_FOR = 86_400_000
const PURPOSE = 'console_entry'

/**
 * Rule of `create_console_entry`: makes an entry code, with which an operator signs in to the console once. Codes are
 * stored as keyed hashes.
 */
export function consoleEntryRules(random: Random): Pick<AdminRules, 'create_console_entry'> {
  return {
    create_console_entry: {
      async perform(work, { email }) {
        const operator = await enteringOperator(work, email ?? undefined)
        const code = makeKey(work.environment, 'entry', random)
        const expiresAt = work.realMilliseconds + LIFETIME
        await work.tx.change(deleteOld, { before: work.realMilliseconds - KEPT_FOR })
        const row: OperatorEntryRow = {
          id: work.newId(''),
          operator_id: operator.id,
          code_hash: work.vault.hash(code, PURPOSE),
          expires_at: expiresAt,
          used_at: null,
        }
        await work.tx.db.insertInto('operator_entries').values(row).execute()
        return { code, email: operator.email ?? '', expires_at: datetimeOf(expiresAt) }
      },
    },
  }
}

/**
 * The operator for whom an entry code is made. Operators make codes for themselves. A caller needs every right to make
 * a code for somebody else, or with a token. The reason: an operator who enters by a code can set a password, which
 * would outlive the token. Throws `Forbidden` if the caller may not make the code.
 */
async function enteringOperator(work: Work, email: string | undefined): Promise<OperatorRow> {
  const { principal } = work
  const operator = await work.asSystem(async () =>
    email === undefined
      ? await work.find(resources.operator, principal.id)
      : (await work.findBy(resources.operator, 'email', email.toLowerCase()))[0],
  )
  const isOwn = operator?.id === principal.id
  if (!isOwn || principal.token !== undefined) {
    if (principal.role !== undefined && !reaches(principal.role, 'owner'))
      throw new ApiError('Forbidden', isOwn ? BY_TOKEN : FOREIGN)
    refuseExceeding(await permissionsOfMaker(work), { manage: true })
  }
  if (!operator) throw invalidAttributes({ email: email === undefined ? NAMELESS : UNKNOWN })
  if (operator.status !== 'active')
    throw invalidAttributes({
      email: `The operator is disabled: payctl operators enable ${operator.email ?? operator.id}`,
    })
  await expectSealed(work, 'admin_operators', operator)
  return operator
}

const FOREIGN =
  'Only an owner lets somebody else into the console; payctl console without --as lets in yourself'
const BY_TOKEN =
  'A token lets nobody into the console: sign in there, or let an owner type payctl console --as EMAIL at the server'
const NAMELESS = 'Required: payctl console --as EMAIL; payctl operators list shows the operators'
const UNKNOWN = 'There is no such operator; payctl operators list shows them, payctl operators add makes one'

/** Finds the operator of an entry code, even of a used one; undefined if the code is unknown. Throws `NotAsSealed`. */
export async function operatorOfCode(work: Work, code: string): Promise<OperatorRow | undefined> {
  const [entry] = await work.tx.run(entryByHash, { hash: work.vault.hash(code, PURPOSE) })
  const operator = entry && (await work.find(resources.operator, entry.operator_id))
  if (operator) await expectSealed(work, 'admin_operators', operator)
  return operator
}

/** Outcome of using an entry code. */
export type EntryUse =
  | { readonly kind: 'entered'; readonly operatorId: string }
  | { readonly kind: 'used' | 'unknown' }

/**
 * Uses up an entry code. If several units of work use the same code, only one of them succeeds. An unknown code and
 * an expired one have the same outcome.
 */
export async function enterByCode(work: Work, code: string): Promise<EntryUse> {
  const hash = work.vault.hash(code, PURPOSE)
  await waitForName(work.tx, `console entry ${hash}`)
  const [entry] = await work.tx.run(entryByHash, { hash })
  if (!entry) return { kind: 'unknown' }
  await expectSealed(work, 'operator_entries', entry)
  if (entry.used_at !== null) return { kind: 'used' }
  if (entry.expires_at <= work.realMilliseconds) return { kind: 'unknown' }
  await work.tx.change(useEntry, { id: entry.id, now: work.realMilliseconds })
  return { kind: 'entered', operatorId: entry.operator_id }
}

const entryByHash = prepared<{ hash: string }, OperatorEntryRow>((db, param) =>
  db.selectFrom('operator_entries').selectAll().where('code_hash', '=', param('hash')),
)

const useEntry = prepared<{ id: string; now: number }, unknown>((db, param) =>
  db
    .updateTable('operator_entries')
    .set({ used_at: param('now') })
    .where('id', '=', param('id')),
)

const deleteOld = prepared<{ before: number }, unknown>((db, param) =>
  db.deleteFrom('operator_entries').where('expires_at', '<=', param('before')),
)
