import type { GroupMember, PendingRead } from './group-member.js'
import type { PostgresConnection } from './postgres-connection.js'

/**
 * Sends identical reads of many units of work to the database once, and answers each of them. A unit of work
 * that would have to wait for another transaction leaves the group, because it would block all other units in
 * the transaction.
 */
export async function batchReads(
  questions: readonly PendingRead[],
  connection: PostgresConnection,
  holders: Map<string, GroupMember>,
): Promise<void> {
  const [first] = questions
  switch (first?.way.by) {
    case 'id':
      return await askForRows(questions, first, first.way, connection)
    case 'nothing':
      return await askOnce(questions, first)
    case 'itself':
      for (const { alone, answer } of questions) answer(await alone())
      return
    case 'name':
      return await askForNames(questions, connection, holders)
    case undefined:
  }
}

/**
 * Reads or locks rows by their ids. If a row to lock is not found, another transaction may be deleting it.
 * The unit of work that needs the row then leaves the group and waits for the result.
 */
async function askForRows(
  questions: readonly PendingRead[],
  { name, values: [, ...constants] }: PendingRead,
  { text, locks }: { readonly text: string; readonly locks: boolean },
  connection: PostgresConnection,
): Promise<void> {
  const ids = [...new Set(questions.map(({ values: [id] }) => id))]
  const found = await connection.together({ name: `${name}_group`, text, values: [ids, ...constants] })
  const rows = new Map<unknown, object>(found.map((row) => [row.id, row]))
  for (const { values, member, answer, refuse } of questions) {
    const row = rows.get(values[0])
    if (!row && locks) refuse(member.leave())
    else answer(row ? [{ ...row }] : [])
  }
}

async function askOnce(questions: readonly PendingRead[], { alone }: PendingRead): Promise<void> {
  const rows = await alone()
  for (const { answer } of questions) answer(rows.map(copied))
}

async function askForNames(
  questions: readonly PendingRead[],
  connection: PostgresConnection,
  holders: Map<string, GroupMember>,
): Promise<void> {
  const byName = new Map<string, PendingRead>()
  for (const question of questions) {
    const name = String(question.values[0])
    const holder = holders.get(name) ?? byName.get(name)?.member
    if (holder === undefined) byName.set(name, question)
    else if (holder === question.member && holders.has(name)) question.answer([])
    else question.refuse(question.member.leave())
  }
  const rows = await connection.together({
    name: 'payctl_group_names',
    text: TAKE_NAMES,
    values: [[...byName.keys()]],
  })
  const taken = new Set<unknown>(rows.map(({ name }) => name))
  for (const [name, { member, answer, refuse }] of byName)
    if (taken.has(name)) {
      holders.set(name, member)
      answer([])
    } else refuse(member.leave())
}

const TAKE_NAMES = `select name from unnest($1::text[]) as name
  where pg_try_advisory_xact_lock(hashtextextended(name, 0))`

/** Copy of a row for one member of the group, which may change it. */
function copied(row: unknown): unknown {
  if (Array.isArray(row)) return [...row]
  return isObject(row) ? { ...row } : row
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
