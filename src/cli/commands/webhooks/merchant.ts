import { objectsIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../terminal/client/client.js'
import type { Ask } from '../../terminal/client/scenario.js'

const GOOD = '4242424242424242'
const NAME = 'payctl webhooks trigger'

export function testCard(number = GOOD): JsonObject {
  return { type: 'card', card: { card_number: number, expiry: '12/39', card_code: '123' } }
}

/**
 * Id of a processing account that can take payments in the test environment: an existing account named `NAME`, or a new
 * account.
 */
export async function merchant(ask: Ask, which: 'any' | 'new' = 'any'): Promise<string> {
  if (which === 'any') {
    const query = new URLSearchParams({ name: NAME, limit: '1' })
    const [known] = objectsIn(await ask('GET', `/processing_accounts?${query}`))
    if (known) return String(known.id)
  }
  const { id } = await ask('POST', '/processing_accounts', {
    name: which === 'any' ? NAME : `${NAME} (status)`,
    processing: { industry: 'books' },
    legal_entity,
    payment_methods: [bank],
  })
  return String(id)
}

const address = {
  city: 'New York',
  postal_code: '10001',
  state_province: 'NY',
  street_address: '1 Main Street',
  phone_number: '212 555 0100',
} as const

const legal_entity: JsonObject = {
  ...address,
  ein: '12-3456789',
  legal_name: 'Park Books LLC',
  state_incorporated: 'NY',
  type: 'LIMITED_LIABILITY_COMPANY',
  owners: [
    {
      ...address,
      birth_date: '1980-01-31',
      email: 'ada@example.com',
      full_name: 'Ada Park',
      ownership: 60,
      ssn: '123-45-6789',
      title: 'Owner',
    },
  ],
}

const bank: JsonObject = {
  type: 'bank_account',
  bank_account: { account_number: '9876543210', routing_number: '021000021', account_type: 'checking' },
}
