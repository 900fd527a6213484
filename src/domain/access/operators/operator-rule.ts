import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../../engine/core/write/work.js'
import { waitForName } from '../../../engine/store/database/differences.js'
import type { OperatorRow } from '../../../engine/store/database/tables.js'
import type { Random } from '../../../platform/random.js'
import { resources } from '../../../resources/resource-table.js'
import type { JsonObject } from '../../../schema/json.js'
import type { InputFor } from '../../../schema/types.js'
import { permissionsOfMaker, refuseExceeding } from '../keys/maker.js'
import { readProcessingIds, refuseUnknownAccounts } from '../keys/requested-permissions.js'
import { withHashedPassword } from '../sign-in/password.js'
import { expectOwner, ownsAtTerminal } from './last-owner.js'
import { endSessionsOf } from './operator-session.js'
import { requiresMapping } from './operator-settings.js'

type OperatorInput = InputFor<typeof resources.operator>

const { operator } = resources

/**
 * Columns for the sign-in and the rights of an operator. A change of any of these columns ends the operator's
 * sessions.
 */
const ENDING = ['email', 'role', 'processing_ids', 'status', 'password_hash'] as const

/**
 * Rule of operators: one for each e-mail address, login and uid. Callers must hold every right that an operator they
 * make or change could get. So a key with limits of its own may not make or change operators.
 */
export function operatorRule(random: Random): Rule<typeof operator> {
  return {
    prepare: (input) => withHashedPassword(input, random),

    async create(work, input) {
      const checked = await checkedInput(work, input, undefined)
      const row = await work.createPlainly(operator, checked)
      return await work.change(operator, row.id, passwordColumns(input))
    },

    async update(work, row, input) {
      const checked = await checkedInput(work, input, row)
      await work.updatePlainly(operator, row, checked)
      const isMoved = checked.email !== undefined && checked.email !== row.email
      const after = await work.change(operator, row.id, {
        ...passwordColumns(input),
        ...(isMoved && NO_SECOND_FACTOR),
      })
      if (ENDING.some((column) => after[column] !== row[column])) await endSessionsOf(work, row.id)
      // An operator who keeps a login but is no longer an owner cannot act as owner of the home directory either. So
      // another owner must exist.
      const stepsDown = ownsAtTerminal(row) && after.uid !== null && !ownsAtTerminal(after)
      if (stepsDown || (await requiresMapping(work))) await expectOwner(work)
      return after
    },

    async delete(work, row) {
      refuseExceeding(await permissionsOfMaker(work), { manage: true })
      await endSessionsOf(work, row.id)
      await work.deletePlainly(operator, row)
      if (await requiresMapping(work)) await expectOwner(work)
    },
  }
}

/**
 * Columns of an operator without a second factor. The secret for one-time codes is bound to the e-mail address, so it
 * is removed when the address changes.
 */
const NO_SECOND_FACTOR = { sealed_totp: null, totp_step: null, has_second_factor: 0 } as const

/**
 * The input in its stored form. Throws `InvalidAttributes` for an e-mail address, login or uid of another operator,
 * and `Forbidden` for a key with limits of its own.
 */
async function checkedInput(
  work: Work,
  input: OperatorInput,
  row: OperatorRow | undefined,
): Promise<OperatorInput> {
  refuseExceeding(await permissionsOfMaker(work), { manage: true })
  const details: JsonObject = {}
  const email = input.email?.toLowerCase()
  const unique = { email, login: input.login, uid: input.uid }
  // All requests take the names in the same order, so that two of them never wait for each other.
  for (const column of ['email', 'login', 'uid'] as const) {
    const value = unique[column]
    if (value === undefined || value === null) continue
    // Two concurrent requests would not see each other's row.
    await waitForName(work.tx, `operator ${column} ${value}`)
    const known = await work.findBy(operator, column, String(value))
    if (known.some(({ id }) => id !== row?.id)) details[column] = 'There is an operator with it already'
  }
  const ids = readProcessingIds(input.processing_ids, details)
  if (Object.keys(details).length > 0) throw invalidAttributes(details)
  await refuseUnknownAccounts(work, ids ?? [])
  return { ...input, ...(email && { email }), ...(ids && { processing_ids: ids }) }
}

function passwordColumns({ password }: OperatorInput): Partial<OperatorRow> {
  if (password === undefined || password === null) return {}
  return { password_hash: password, has_password: 1 }
}
