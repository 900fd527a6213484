import type { Json, JsonObject } from '../../terminal/client/client.js'
import { has } from '../../terminal/input/body.js'
import type { Asking, Fact } from '../../terminal/wizard/asking.js'
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
async function chooseDestination(asking: Asking): Promise<JsonObject | undefined> {
  const [first, ...more] = await lookUp(asking, destinations, '')
  if (more.length === 0) return first
  return await asking.prompts.search('processing account (type to search):', async (term) =>
    accountChoices(asking, await lookUp(asking, destinations, term)),
  )
}

/** Asks who pays, where it is not known. */
export async function askPayer(asking: Asking, body: JsonObject): Promise<void> {
  if (!has(body, ['customer_id'])) body.customer_id = (await chooseCustomer(asking)).id ?? null
}

/** Asks where money goes, where there are several and the customer has none of their own; `always`: where it is not known. */
export async function askDestination(asking: Asking, body: JsonObject, always = false): Promise<void> {
  if (has(body, ['processing_id'])) return
  if (has(body, ['customer_id']) && !always) {
    const [customer] = await asking.find('/customers', [['id', textOf(body.customer_id)]])
    if (customer?.primary_processing_id) return
  }
  const account = await chooseDestination(asking)
  if (account) body.processing_id = account.id ?? null
}

/** Who pays, and who is paid, as far as it is known. */
export async function partyFacts(asking: Asking, body: JsonObject): Promise<readonly Fact[]> {
  const called = async (id: Json | undefined) => (id ? await accountName(asking, textOf(id)) : '')
  return [
    ['from', await called(body.customer_id)],
    ['to', await called(body.processing_id)],
  ]
}

/** The account of an id, as it is called; the id itself when it is not found. */
async function accountName(asking: Asking, id: string): Promise<string> {
  const [account] = await asking.find('/accounts', [['id', id]])
  return account ? calledWithId(account) : id
}

/** `Ada Lovelace (acct_…)` */
function calledWithId({ id, name }: JsonObject): string {
  return `${textOf(name)} (${textOf(id)})`
}

function accountChoices(asking: Asking, accounts: readonly JsonObject[]) {
  return choicesOf(asking, accounts, {
    row: ({ name, email, id }) => [{ text: textOf(name) }, { text: textOf(email) }, { text: textOf(id) }],
    short: ({ name }) => textOf(name),
  })
}
