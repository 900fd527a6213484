import type { JsonObject } from '../../terminal/client.js'
import type { Asking } from '../../terminal/wizard/asking.js'
import { choicesOf, type Lookup, lookUp, textOf } from './lookup.js'

const searched = ['id', 'name', 'email', 'description']
const customers: Lookup = { path: '/customers', query: [], searched }
const destinations: Lookup = { path: '/processing_accounts', query: [], searched }

/** Lets the operator choose who pays. */
export async function chooseCustomer(
  asking: Asking,
  message = 'customer (type to search):',
): Promise<JsonObject> {
  return await asking.prompts.search(message, async (term) =>
    accountChoices(asking, await lookUp(asking, customers, term)),
  )
}

/** The account that money goes to: the only one, or one of several that is chosen; nothing when there is none. */
export async function chooseDestination(asking: Asking): Promise<JsonObject | undefined> {
  const [first, ...more] = await lookUp(asking, destinations, '')
  if (more.length === 0) return first
  return await asking.prompts.search('processing account (type to search):', async (term) =>
    accountChoices(asking, await lookUp(asking, destinations, term)),
  )
}

/** The account of an id, as it is called; the id itself when it is not found. */
export async function accountName(asking: Asking, id: string): Promise<string> {
  const [account] = await asking.find('/accounts', [['id', id]])
  return account ? calledWithId(account) : id
}

/** `Ada Lovelace (acct_…)` */
export function calledWithId({ id, name }: JsonObject): string {
  return `${textOf(name)} (${textOf(id)})`
}

function accountChoices(asking: Asking, accounts: readonly JsonObject[]) {
  return choicesOf(asking, accounts, {
    row: ({ name, email, id }) => [{ text: textOf(name) }, { text: textOf(email) }, { text: textOf(id) }],
    short: ({ name }) => textOf(name),
  })
}
