import type { JsonObject, QueryPair } from '../../terminal/client/client.js'
import { completing } from '../../terminal/command/way-on.js'
import { ifAllowed, UsageError } from '../../terminal/failure/failure.js'
import { drop, has } from '../../terminal/input/body.js'
import { type Fact, fill, type WizardQuestions } from '../../terminal/wizard/wizard-questions.js'
import { choicesOf, type Lookup, lookUp, textOf } from './lookup.js'

const searched = ['id', 'name', 'email', 'description']
const customers: Lookup = { path: '/customers', query: [], searched }
const destinations: Lookup = { path: '/processing_accounts', query: [], searched }

/** Prompts for the customer who pays. */
export async function chooseCustomer(
  questions: WizardQuestions,
  message = 'customer (type to search):',
): Promise<JsonObject> {
  if ((await lookUp(questions, customers, '')).length === 0)
    throw new UsageError('There is no customer yet; payctl customers create makes one')
  return await questions.prompts.search(message, async (term) =>
    accountChoices(questions, await lookUp(questions, customers, term)),
  )
}

/**
 * Prompts for the account that is paid, unless there is only one. If the key may not list accounts, prompts for the id.
 */
async function chooseDestination(questions: WizardQuestions, body: JsonObject): Promise<void> {
  const found = await ifAllowed(lookUp(questions, destinations, ''))
  if (!found) return await fill(questions, body, 'processing_id', { message: 'processing account, its id:' })
  const [first, ...more] = found
  const account = more.length === 0 ? first : await searchedDestination(questions)
  if (account) body.processing_id = account.id ?? null
}

async function searchedDestination(questions: WizardQuestions): Promise<JsonObject> {
  return await questions.prompts.search('processing account (type to search):', async (term) =>
    accountChoices(questions, await lookUp(questions, destinations, term)),
  )
}

/**
 * Throws a `UsageError` if the account that is paid is known and incomplete. The account is known if it is given, or if
 * there is only one account.
 */
export async function expectPayable(questions: WizardQuestions, body: JsonObject): Promise<void> {
  const id = body.processing_id
  const query: QueryPair[] = id ? [['id', textOf(id)]] : [['limit', '2']]
  const [account, ...more] = (await ifAllowed(questions.find(destinations.path, query))) ?? []
  if (account?.status !== 'incomplete' || more.length > 0) return
  throw new UsageError(
    `${calledWithId(account)} is incomplete and cannot take payments. ${completing(account.id)}`,
  )
}

/** Prompts for the customer who pays, unless given. */
export async function askPayer(questions: WizardQuestions, body: JsonObject): Promise<void> {
  if (!has(body, ['customer_id'])) body.customer_id = (await chooseCustomer(questions)).id ?? null
}

/**
 * Prompts for the account that is paid, unless given. Without `always`, no prompt is needed for a customer with a
 * primary account.
 */
export async function askDestination(
  questions: WizardQuestions,
  body: JsonObject,
  always = false,
): Promise<void> {
  if (has(body, ['processing_id'])) return
  if (has(body, ['customer_id']) && !always) {
    const found = await ifAllowed(questions.find('/customers', [['id', textOf(body.customer_id)]]))
    if (found?.[0]?.primary_processing_id) return
  }
  await chooseDestination(questions, body)
}

/** Facts about payer and payee, if they are known. */
export async function partyFacts(questions: WizardQuestions, body: JsonObject): Promise<readonly Fact[]> {
  const fact = async (name: string, attribute: string): Promise<Fact> => {
    const id = body[attribute]
    return [name, id ? await accountName(questions, textOf(id)) : '', () => drop(body, [attribute])]
  }
  return [await fact('from', 'customer_id'), await fact('to', 'processing_id')]
}

/** Name of an account with its id; the id alone if the account is not found. */
async function accountName(questions: WizardQuestions, id: string): Promise<string> {
  const [account] = (await ifAllowed(questions.find('/accounts', [['id', id]]))) ?? []
  return account ? calledWithId(account) : id
}

/** Name and id of an account: `Ada Lovelace (acct_…)` */
function calledWithId({ id, name }: JsonObject): string {
  return `${textOf(name)} (${textOf(id)})`
}

function accountChoices(questions: WizardQuestions, accounts: readonly JsonObject[]) {
  return choicesOf(questions, accounts, {
    row: ({ name, email, id }) => [{ text: textOf(name) }, { text: textOf(email) }, { text: textOf(id) }],
    short: ({ name }) => textOf(name),
  })
}
