import type { JsonObject } from '../../src/schema/json.js'
import { consenting } from '../support/consent.js'
import { idOf, listOf, objectOf } from '../support/core.js'
import { legalEntity, owner } from '../support/examples.js'
import { exchange, refresh, tokensOf } from '../support/oauth.js'
import { ACCOUNTS, CARDS, CODES, codeOf, EIN, keySecret, ROUNDS, ROUTING, SSN, spaced } from './secret.js'
import type { Teller } from './teller.js'

export const cardOf = (number: string, code: string, more: JsonObject = {}): JsonObject => ({
  type: 'card',
  card: { card_number: number, expiry: '12/39', card_code: code },
  ...more,
})

const bankOf = (number: string, more: JsonObject = {}): JsonObject => ({
  type: 'bank_account',
  bank_account: { account_number: number, routing_number: ROUTING, account_type: 'checking' },
  ...more,
})

const merchant = (): JsonObject => ({
  name: 'Corner Books',
  processing: { industry: 'books' },
  legal_entity: { ...legalEntity(), ein: EIN.kept, owners: [{ ...owner(), ssn: SSN.kept }] },
  payment_methods: [bankOf(ACCOUNTS.ofMerchant)],
})

/**
 * Creates a merchant, and makes every kind of payment: approved, declined, by a method used once, as a dry run,
 * sent twice.
 */
export async function goodStory(teller: Teller): Promise<void> {
  const opened = await teller.tell(200, 'POST', '/processing_accounts', {
    body: merchant(),
    idempotencyKey: 'open',
  })
  await teller.tell(200, 'POST', '/processing_accounts', { body: merchant(), idempotencyKey: 'open' })
  const entity = idOf(objectOf(opened.legal_entity))
  await teller.tell(200, 'PUT', `/legal_entities/${entity}?fields=*,owners`, { body: { ein: EIN.later } })
  for (let round = 0; round < ROUNDS; round++) await payAll(teller, idOf(opened), round)
}

async function payAll(teller: Teller, processing_id: string, round: number): Promise<void> {
  const customer = await teller.tell(200, 'POST', '/customers?fields=*,payment_methods', {
    body: {
      name: 'Ada Park',
      primary_processing_id: processing_id,
      payment_methods: [
        cardOf(spaced(CARDS.ofCustomer), codeOf(CODES.ofCustomer, round), { default_payment_method: true }),
      ],
    },
  })
  const customer_id = idOf(customer)
  const method = idOf(objectOf(listOf(customer.payment_methods)[0]))
  const once = {
    type: 'card',
    card: { card_number: spaced(CARDS.usedOnce, '-'), expiry: '12/39' },
    keep_active: false,
  }
  const payments: [status: number, payment_method: JsonObject, more?: JsonObject][] = [
    [200, cardOf(CARDS.good, codeOf(CODES.good, round))],
    [200, once, { card_code: codeOf(CODES.beside, round) }],
    [400, cardOf(CARDS.declined, codeOf(CODES.declined, round))],
    [200, bankOf(ACCOUNTS.paying)],
    [200, bankOf(ACCOUNTS.usedOnce, { keep_active: false })],
    [200, { id: method, card: { card_code: codeOf(CODES.ofCustomer, round) } }, { customer_id }],
  ]
  for (const [index, [status, payment_method, more]] of payments.entries()) {
    const body = { type: 'payment', amount: 20 + round, processing_id, payment_method, ...more }
    const sent = { body, idempotencyKey: `payment-${round}-${index}` }
    const first = await teller.tell(status, 'POST', '/transactions?fields=*,ledger,conv_fee,customer', sent)
    const again = await teller.tell(status, 'POST', '/transactions?fields=*,ledger,conv_fee,customer', sent)
    if (JSON.stringify(first) !== JSON.stringify(again)) throw new Error('The key was forgotten')
  }
  const payment_method = cardOf(CARDS.dryRun, codeOf(CODES.dryRun, round))
  const tried = { type: 'payment', amount: 5, processing_id, payment_method }
  await teller.tell(200, 'POST', '/transactions', { body: tried, dryRun: true })
}

/** Uses payment methods after their payments: finds them by number, changes, refunds and deletes them. */
export async function laterStory(teller: Teller): Promise<void> {
  const found = await teller.tell(200, 'GET', `/payment_methods?card[card_number]=${CARDS.good}`)
  await teller.tell(400, 'GET', `/payment_methods?card[card_number]=${CARDS.good}|${CARDS.asked}`)
  const method = objectOf(listOf(found.values)[0])
  const path = `/payment_methods/${idOf(method)}`
  await teller.tell(200, 'PUT', path, { body: method })
  await teller.tell(200, 'PUT', path, { body: { card: { expiry: '11/38' } } })
  await teller.tell(400, 'PUT', path, { body: { card: { card_number: CARDS.good } } })
  await teller.tell(400, 'PUT', path, { body: { card: { card_number: CARDS.asked } } })
  await teller.tell(
    200,
    'GET',
    `/transactions?payment_method[card][card_number]=${CARDS.usedOnce}&fields=*,ledger`,
  )
  await teller.tell(200, 'GET', `/legal_entities?ein=${EIN.kept}&fields=*,owners`)
  await teller.tell(400, 'GET', `/legal_entities?ein=${EIN.kept}|${EIN.later}`)
  await teller.tell(200, 'GET', `/legal_entity_owners?ssn=!${SSN.refused}`)
  const paid = await teller.tell(200, 'GET', `/transactions?payment_method_id=${idOf(method)}`)
  const assoc_transaction_id = idOf(objectOf(listOf(paid.values)[0]))
  const refund = { body: { type: 'refund', amount: 1, ledger: [{ assoc_transaction_id }] } }
  // A client may wrongly use a card number as an idempotency key.
  await teller.tell(400, 'POST', '/transactions', { ...refund, idempotencyKey: CARDS.asked })
  await teller.tell(200, 'POST', '/transactions', refund)
  await teller.tell(200, 'DELETE', path)
}

/** Makes, lists, rotates and revokes keys; each secret is shown once. */
export async function keyStory(teller: Teller): Promise<void> {
  const made = { body: { description: 'shop' }, idempotencyKey: 'key' }
  const { id } = await teller.tell(200, 'POST', '/admin/keys', made)
  await teller.tell(409, 'POST', '/admin/keys', made)
  const rotated = await teller.tell(200, 'POST', `/admin/keys/${id}/rotate`, {
    body: {},
    idempotencyKey: 'turn',
  })
  await teller.tell(200, 'GET', '/admin/keys?fields=*')
  const basic = Buffer.from(`${rotated.secret_key}:`).toString('base64')
  await teller.tell(200, 'GET', '/transactions?limit=1', { authorization: `Basic ${basic}` })
  await teller.tell(200, 'DELETE', `/admin/keys/${rotated.id}`)
  await teller.tell(401, 'GET', '/transactions', { authorization: `Basic ${basic}` })
}

/** Makes and changes a webhook, and replaces its secret twice; old secrets stay valid for a while. */
export async function webhookStory(teller: Teller): Promise<void> {
  const secret = 'the secret of a client that nobody sees'
  teller.keys.push(keySecret('client secret', secret))
  const made = {
    body: {
      trigger: 'payment',
      url: 'https://example.com/notifications',
      oauth_token_url: 'https://example.com/token',
      oauth_client_id: 'shop',
      oauth_client_secret: secret,
    },
    idempotencyKey: 'hook',
  }
  const { id } = await teller.tell(200, 'POST', '/webhooks', made)
  await teller.tell(409, 'POST', '/webhooks', made)
  for (const overlap of [60, 3_600])
    await teller.tell(200, 'POST', `/webhooks/${id}/rotate_secret`, { body: { overlap } })
  await teller.tell(200, 'PUT', `/webhooks/${id}?fields=*,secret`, { body: { status: 'disabled' } })
  await teller.tell(200, 'GET', '/webhooks?fields=*,secret,logs')
}

/** Signs a user in and grants access; the application exchanges the code and refreshes its tokens. */
export async function oauthStory(teller: Teller, address: string): Promise<void> {
  const password = 'a password that nobody sees'
  teller.keys.push(keySecret('password', password))
  const org = await teller.tell(200, 'POST', '/orgs', {
    body: { name: 'Ledgerly', industry: 'books', org_type: 'business' },
  })
  const { secret_key: key } = await teller.tell(200, 'POST', '/admin/keys', {
    body: { org_id: String(org.id) },
  })
  const user = { org_id: String(org.id), email: 'grace@example.com', password }
  await teller.tell(200, 'POST', '/admin/oauth_users', { body: user, idempotencyKey: 'user' })
  await teller.tell(400, 'POST', '/admin/oauth_users', { body: user })
  const redirect = { org_id: String(org.id), uri: 'http://127.0.0.1/done' }
  await teller.tell(200, 'POST', '/admin/oauth_redirects', { body: redirect })
  const { id: clientKey } = await teller.tell(200, 'POST', '/access_tokens', { body: { type: 'client' } })
  const asked = {
    client_key: String(clientKey),
    org_id: String(org.id),
    scope: 'org',
    redirect_uri: redirect.uri,
  }
  const handed = await consenting(`${address}/oauth/authorize?${new URLSearchParams(asked)}`, user)
  const code = handed.searchParams.get('code') ?? ''
  const client = { clientId: String(org.id), key: String(key), service: { address } }
  const first = tokensOf(await exchange(client, code))
  const second = tokensOf(await refresh(client, first.refresh))
  for (const [name, text] of Object.entries({ code, ...first, second: second.access, third: second.refresh }))
    teller.keys.push(keySecret(name, text))
  await teller.tell(200, 'GET', '/transactions?limit=1', { authorization: `Bearer ${second.access}` })
  await teller.tell(200, 'GET', '/admin/oauth_grants')
  await teller.tell(200, 'GET', '/admin/oauth_users')
}
