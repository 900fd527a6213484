import type { JsonObject } from '../../src/schema/json.js'
import { idOf, type TestCore } from './core.js'

const VISA = '4242 4242 4242 4242'
const ROUTING = '021000021'

export const card = (number = VISA): JsonObject => ({
  type: 'card',
  card: { card_number: number, expiry: '12/39', card_code: '123' },
})

export const bankAccount = (number = '1234567890'): JsonObject => ({
  type: 'bank_account',
  bank_account: { account_number: number, routing_number: ROUTING, account_type: 'checking' },
})

/** Attributes of a mail server with a password. */
export const mailServer: JsonObject = {
  host: 'smtp.example.com',
  username: 'shop',
  password: 's:cret',
  from_address: 'billing@example.com',
}

export const owner = (ownership = 60): JsonObject => ({
  birth_date: '1980-01-31',
  city: 'New York',
  email: 'ada@example.com',
  full_name: 'Ada Park',
  ownership,
  phone_number: '212 555 0100',
  postal_code: '10001',
  ssn: '123-45-6789',
  state_province: 'NY',
  street_address: '1 Main Street',
  title: 'Owner',
})

export const legalEntity = (): JsonObject => ({
  city: 'New York',
  ein: '12-3456789',
  legal_name: 'Park Books LLC',
  phone_number: '212 555 0100',
  postal_code: '10001',
  state_incorporated: 'NY',
  state_province: 'NY',
  street_address: '1 Main Street',
  type: 'LIMITED_LIABILITY_COMPANY',
  owners: [owner()],
})

/**
 * Attributes of a processing account that meets all requirements; it becomes `pending`, and accepts payments
 * in the test environment.
 */
export const processingAccount = (name = 'Park Books'): JsonObject => ({
  name,
  processing: { industry: 'books' },
  legal_entity: legalEntity(),
  payment_methods: [bankAccount('9876543210')],
})

/** Makes a processing account; returns its id. */
export async function makeProcessing(core: TestCore, name?: string): Promise<string> {
  return idOf(await core.ok('POST', '/processing_accounts', processingAccount(name)))
}

/** Makes a customer of a processing account; returns its id. */
export async function makeCustomer(core: TestCore, processingId: string, name = 'Ada Park'): Promise<string> {
  const body = { name, email: 'ada@example.com', primary_processing_id: processingId }
  return idOf(await core.ok('POST', '/customers', body))
}

/** Takes a card payment; returns the transaction. */
export async function pay(core: TestCore, processingId: string, amount: number, more: JsonObject = {}) {
  const body = { type: 'payment', amount, processing_id: processingId, payment_method: card(), ...more }
  return await core.ok('POST', '/transactions', body)
}
