import type { JsonObject } from '../../src/schema/json.js'
import { ACCOUNTS, CARDS, CODES, codeOf, EIN, SSN, spaced } from './secret.js'
import { cardOf } from './story.js'
import type { Sent, Teller } from './teller.js'

const NUMBER = CARDS.refused
let used = 0
const asCard = (changes: JsonObject): JsonObject => ({
  type: 'card',
  card: { card_number: NUMBER, expiry: '12/39', card_code: code(), ...changes },
})
const asBank = (changes: JsonObject): JsonObject => ({
  type: 'bank_account',
  bank_account: {
    account_number: ACCOUNTS.refused,
    routing_number: '021000021',
    account_type: 'checking',
    ...changes,
  },
})

/** Invalid payment methods, each tempting an error message to repeat a secret value. */
const wrongMethods: JsonObject[] = [
  asCard({ card_number: CARDS.misspelt }),
  asCard({ card_number: { number: NUMBER } }),
  asCard({ card_number: [NUMBER] }),
  asCard({ card_number: `${NUMBER}${NUMBER}` }),
  asCard({ card_number: `${NUMBER}x` }),
  asCard({ card_number: true }),
  asCard({ expiry: NUMBER }),
  asCard({ expiry: '01/20' }),
  asCard({ card_code: `${code()} ${code()}` }),
  asCard({ card_code: { code: code() } }),
  asCard({ card_type: NUMBER }),
  asCard({ card_brand: code() }),
  asCard({ unknown: spaced(NUMBER) }),
  { ...asCard({}), type: NUMBER },
  { ...asCard({}), account_id: NUMBER },
  { ...asCard({}), keep_active: NUMBER },
  { ...asCard({}), billing_address: NUMBER },
  { ...asCard({}), bank_account: NUMBER },
  { type: 'card', card: NUMBER },
  asBank({ account_number: { number: ACCOUNTS.refused } }),
  asBank({ account_number: `${ACCOUNTS.refused}x` }),
  asBank({ routing_number: ACCOUNTS.refused }),
  asBank({ account_type: ACCOUNTS.refused }),
  asBank({ card_number: NUMBER }),
]

const wrongTransactions: JsonObject[] = [
  { amount: NUMBER },
  { amount: [NUMBER] },
  { customer_id: NUMBER },
  { processing_id: NUMBER },
  { payment_method_id: NUMBER },
  { status: NUMBER },
  { type: NUMBER },
  { source: code() },
  { card_code: [code()] },
  { ledger: [{ assoc_transaction_id: NUMBER }] },
  { order_details: { line_items: NUMBER } },
  { card_number: NUMBER },
]

const wrongEntities: JsonObject[] = [
  { ein: `${EIN.refused}0` },
  { ein: [EIN.refused] },
  { ein: EIN.refused, type: EIN.refused },
  { ein: EIN.refused, owners: [{ ssn: { ssn: SSN.refused } }] },
  { ein: EIN.refused, owners: [{ ssn: SSN.refused, ownership: SSN.refused }] },
]

const wrongQueries = [
  `/payment_methods?card[card_number]=>${NUMBER}`,
  `/payment_methods?card[card_number]=?*${NUMBER}*`,
  `/payment_methods?card[card_code]=${code()}`,
  `/payment_methods?expiry=${NUMBER}`,
  `/transactions?amount=${NUMBER}x`,
  `/transactions?created_at=>${NUMBER}`,
  `/transactions?limit=${NUMBER}`,
  `/transactions?offset=${NUMBER}x`,
  `/legal_entity_owners?ssn=<${SSN.refused}`,
  `/payment_methods?mode=${NUMBER}`,
]

/** Sends all kinds of requests with secrets that the service refuses. */
export async function refusals(teller: Teller): Promise<void> {
  for (const method of wrongMethods) {
    await refuse(teller, '/payment_methods', { body: method })
    await refuse(teller, '/transactions', { body: { type: 'payment', amount: 1, payment_method: method } })
  }
  for (const wrong of wrongTransactions) {
    const body = { type: 'payment', amount: 1, payment_method: cardOf(NUMBER, code()), ...wrong }
    await refuse(teller, '/transactions', { body })
    await refuse(teller, '/transactions', { body, dryRun: true })
    await refuse(teller, '/transactions', { body, idempotencyKey: NUMBER })
  }
  for (const legal_entity of wrongEntities) {
    await refuse(teller, '/processing_accounts', {
      body: { name: 'Wrong', processing: { industry: 'books' }, legal_entity },
    })
    await refuse(teller, '/legal_entities', { body: legal_entity })
  }
  const listed = [cardOf(CARDS.listed, code()), asCard({ expiry: NUMBER })]
  await refuse(teller, '/payment_methods', { body: listed })
  await refuse(teller, '/payment_methods', { body: { object: 'list', values: listed } })
  for (const path of wrongQueries) await teller.tell(400, 'GET', path)
  await malformed(teller)
  await misplaced(teller)
}

async function malformed(teller: Teller): Promise<void> {
  const json = JSON.stringify(asCard({}))
  const form = `type=card&card[card_number]=${NUMBER}&card[card_code]=${code()}`
  const boundary = 'xxxx'
  const multipart = `--${boundary}\r\ncontent-disposition: form-data; name="card[card_number]"\r\n\r\n${NUMBER}`
  const bodies: [number, string, string][] = [
    [400, 'application/json', `${json.slice(0, -1)} "${NUMBER}"`],
    [400, 'application/json', `"${NUMBER}"`],
    [400, 'application/json', NUMBER],
    [400, 'application/x-www-form-urlencoded', `${form}&card[expiry]=${NUMBER}`],
    [400, 'application/x-www-form-urlencoded', `${form}&type[${'a]['.repeat(40)}]=%`],
    [400, `multipart/form-data; boundary=${boundary}`, multipart],
    [415, 'text/plain', json],
  ]
  for (const [status, type, text] of bodies) {
    await teller.tell(status, 'POST', '/payment_methods', { raw: { type, text } })
    await teller.tell(status, 'POST', '/payment_methods', {
      raw: { type, text },
      idempotencyKey: 'malformed',
    })
  }
  const key = `test_secret_key_${'9aZ'.repeat(14)}x`
  await teller.tell(401, 'GET', '/transactions', { authorization: `Bearer ${key}` })
  await teller.tell(401, 'GET', '/transactions', { authorization: `Bearer ${NUMBER}` })
}

/** Sends requests with secrets in place of ids, paths and attribute names. */
async function misplaced(teller: Teller): Promise<void> {
  for (const name of [NUMBER, spaced(NUMBER, '%20'), spaced(NUMBER, '-'), teller.secretKey]) {
    await teller.tell(404, 'GET', `/payment_methods/${name}`, { isNamed: true })
    await teller.tell(404, 'DELETE', `/${name}`, { isNamed: true })
    await teller.tell(400, 'GET', `/payment_methods?order_by=${name}`, { isNamed: true })
    await teller.tell(400, 'GET', `/payment_methods?${name}=${name}`, { isNamed: true })
  }
}

async function refuse(teller: Teller, path: string, sent: Sent): Promise<void> {
  await teller.tell(400, 'POST', path, sent)
}

/** Returns another card code at each call. */
function code(): string {
  used++
  return codeOf(CODES.refused, used)
}
