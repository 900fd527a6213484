import type { Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { PaymentMethodRow, TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { depositMethods } from '../accounts/deposit-method.js'

/** The bank account that receives deposits, if there is one, or the reason why the stored choice cannot be trusted. */
export interface DepositDestination {
  readonly bank?: PaymentMethodRow | undefined
  readonly problem?: string
}

/**
 * Finds the bank account that receives the deposits of a processing account. The account, all its bank accounts and
 * the one that it names in `deposit_method_id` must match their newest seals. Each of them influences the choice.
 */
export async function depositDestination(work: Work, accountId: string): Promise<DepositDestination> {
  const account = await work.find(resources.processing_account, accountId)
  const methods = await depositMethods(work, accountId)
  const noted = account?.deposit_method_id ?? null
  const problems = [
    await work.sealProblem('accounts', accountId, account),
    ...(await problemsOf(work, methods)),
    noted === null || methods.some(({ id }) => id === noted)
      ? undefined
      : await work.sealProblem('payment_methods', noted, undefined),
  ]
  const problem = problems.find((each) => each !== undefined)
  if (problem !== undefined) return { problem }
  const [first] = methods
  const bank = first && (await work.find(resources.payment_method, first.id))
  // The bank account was deleted between the two reads: choose again.
  return first && !bank ? await depositDestination(work, accountId) : { bank }
}

async function problemsOf(work: Work, methods: readonly PaymentMethodRow[]): Promise<(string | undefined)[]> {
  const problems: (string | undefined)[] = []
  for (const method of methods) problems.push(await work.sealProblem('payment_methods', method.id, method))
  return problems
}

/**
 * Whether it is certain where deposits and bills of an account go. If not, they stay due, and the account shows the
 * problem.
 */
export async function hasDestination({ read, write }: WorkRunner, accountId: string): Promise<boolean> {
  const { problem = null } = await read((work) => depositDestination(work, accountId))
  const [noted] = await read(({ tx }) => tx.run(notedProblem, { id: accountId }))
  if (noted && noted.problem !== problem) await write((work) => noteProblem(work, accountId, problem))
  return problem === null
}

/**
 * Stores the problem without sealing the account anew. A new seal would confirm values of the row that were tampered
 * with.
 */
async function noteProblem({ tx }: Work, accountId: string, problem: string | null): Promise<void> {
  await tx.db
    .updateTable('accounts')
    .set({ processing__deposits_problem: problem })
    .where('id', '=', accountId)
    .execute()
}

const notedProblem = prepared<{ id: string }, { problem: string | null }>((db, param) =>
  db.selectFrom('accounts').select('processing__deposits_problem as problem').where('id', '=', param('id')),
)

/**
 * Throws an error if the rows that decide a batch's destination do not match their seals, or if its bank account
 * belongs to another account.
 */
export async function expectDestination(
  work: Work,
  { processing_id: accountId, payment_method_id: id }: TransactionRow,
): Promise<void> {
  const { problem } = await depositDestination(work, accountId ?? '')
  if (problem !== undefined) throw new Error(problem)
  if (id === null) return
  const bank = await work.tx.db
    .selectFrom('payment_methods')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  const changed = await work.sealProblem('payment_methods', id, bank)
  if (changed !== undefined) throw new Error(changed)
  if (bank?.account_id !== accountId) throw new Error(`${id} is no bank account of ${accountId}`)
}
