import { execFile } from 'node:child_process'
import { string } from '@oclif/core/flags'
import { shellWord } from '../../../platform/shell-word.js'
import { resources } from '../../../resources/resource-table.js'
import { isObject, type JsonObject } from '../../../schema/json.js'
import { itemPath } from '../../terminal/command/item-path.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { thisLogin } from '../../terminal/local/this-login.js'
import type { Addition, Surroundings } from '../derived/addition.js'

const OPERATORS = resources.operator.plural

/**
 * Flags for operators that cannot be derived: `--processing`, and `--login` with its user id on this
 * machine.
 */
export const operatorAddition: Addition = {
  flags: {
    processing: string({
      multiple: true,
      summary: 'narrow them to a processing account; may be repeated; "" removes the restriction',
      helpValue: '<id>',
    }),
  },
  instead: ['processing-ids', 'uid'],
  async complete(given, { processing }, { settings, read, id }) {
    const ids = Array.isArray(processing) ? processing.filter((account) => account !== '') : undefined
    const body = { ...given, ...(ids && { processing_ids: ids.length > 0 ? ids : null }) }
    const { login } = given
    if (typeof login !== 'string' || given.uid !== undefined) return body
    if (login === '') return { ...body, login: null, uid: null }
    if (settings.server)
      throw new UsageError(
        `--login is of the machine that has the database, but commands go to ${settings.server.value}; type there: payctl operators ${id === undefined ? 'add' : `update ${shellWord(id)}`} --login ${shellWord(login)}`,
      )
    const uid = await uidOf(login)
    if (uid === thisLogin().uid) {
      const before = id === undefined ? {} : await read(itemPath(OPERATORS, id), [])
      if (!ownsAll({ ...before, ...body })) await expectOtherOwner(read)
    }
    return { ...body, uid }
  },
}

/** Whether an operator is an owner of the whole environment. */
function ownsAll({ role, processing_ids: narrowed = null }: JsonObject): boolean {
  return role === 'owner' && narrowed === null
}

/** Throws a `UsageError` unless an active owner with a login remains. */
async function expectOtherOwner(read: Surroundings['read']): Promise<void> {
  const { values } = await read(`/${OPERATORS}`, [
    ['role', 'owner'],
    ['status', 'active'],
    ['uid', '!'],
  ])
  if (Array.isArray(values) && values.filter(isObject).some(ownsAll)) return
  throw new UsageError(
    'This is your own login, and no owner with a login would remain: add --role owner, or first payctl operators add --role owner --login …',
  )
}

/** The user id of a login on this machine. Throws a `UsageError` if there is no such login. */
async function uidOf(login: string): Promise<number> {
  const own = thisLogin()
  if (own.uid === undefined)
    throw new UsageError(
      '--login needs a system whose logins have numbers: leave --login out, and let them in by payctl console --as EMAIL',
    )
  if (own.name === login) return own.uid
  const uid = await askSystem(login)
  if (uid === undefined)
    throw new UsageError(
      `There is no login ${login} on this machine: correct --login, or leave it out and let them in by payctl console --as EMAIL`,
    )
  return uid
}

function askSystem(login: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    execFile('id', ['-u', '--', login], (error, stdout) => {
      resolve(error || !/^\d+\s*$/.test(stdout) ? undefined : Number(stdout))
    })
  })
}
