import type { Chance } from '../../../platform/chance.js'
import { cornerShop } from '../../../resources/corner-shop.js'
import { objectsIn } from '../../../schema/answer-values.js'
import { dateOf, datetimeOf } from '../../../schema/datetime.js'
import type { JsonObject } from '../../../schema/json.js'
import type { Ask } from '../../terminal/client/scenario.js'

/** Dependencies of the demo. Requests are made at the time of its clock. */
export interface DemoYear {
  /** End of the year, in milliseconds since 1970. It is the present for the shop. */
  readonly until: number
  /** Number of days before the end at which the shop opens. */
  readonly days: number
  readonly chance: Chance
  readonly send: Ask
  /** Sends pending events to the webhooks. */
  deliver(): Promise<void>
  /** Sets the clock, and runs the jobs that have become due. */
  reach(moment: number): Promise<void>
  /** Called after each day. */
  progress(): void
}

/** Operators of the demo shop, by their ids. */
export interface DemoStaff {
  readonly owner: string
  readonly cashier: string
}

/** The processing account of the demo, its people and its customers. */
export interface DemoShop {
  readonly id: string
  readonly staff: DemoStaff
  readonly customers: readonly string[]
}

const YEAR = 365 * 86_400_000

/** Cards that are approved. Those in `DECLINING` are declined, most of them for insufficient funds. */
const CARDS = ['4242424242424242', '5555555555554444', '378282246310005', '6011111111111117'] as const
export const DECLINING = [
  '4111111111119904',
  '4111111111119904',
  '4111111111119903',
  '4111111111119900',
  '4111111111119905',
  '4111111111119908',
] as const

/** Number of customers who pay by bank account, number of members of the club, and monthly price of the club. */
const BY_BANK = 3
const MEMBERS = 5
const CLUB = 20

/** Customers of the demo shop. */
const PEOPLE = [
  'Ada Park',
  'Ben Okafor',
  'Carla Diaz',
  'David Lindqvist',
  'Elif Demir',
  'Farid Rahimi',
  'Grace Hopwood',
  'Hana Sato',
  'Ivan Petrov',
  'Julia Novak',
  'Kofi Mensah',
  'Lena Fischer',
  'Marco Bianchi',
  'Nina Kowalska',
  'Omar Haddad',
  'Priya Nair',
  'Quinn Murphy',
  'Rosa Almeida',
  'Sven Olsen',
  'Tara Singh',
  'Uma Costa',
  'Victor Lang',
  'Wanda Brook',
  'Yusuf Aydin',
] as const

/** Opens the shop, with its customers, the members of its club, and its staff. */
export async function openShop({ send, until }: DemoYear): Promise<DemoShop> {
  const { id } = await send('POST', '/processing_accounts', JSON.parse(JSON.stringify(cornerShop)))
  const shop = String(id)
  const values = PEOPLE.map((name, index) => ({
    name,
    email: `${name.toLowerCase().replace(' ', '.')}@example.com`,
    primary_processing_id: shop,
    payment_methods: [
      index < BY_BANK
        ? bankAccount(index)
        : { ...card(CARDS[index % CARDS.length]), default_payment_method: true },
    ],
  }))
  const made = await send('POST', '/customers', { object: 'list', values })
  const customers = objectsIn(made).map(({ id }) => String(id))
  const expiring = dateOf(datetimeOf(until + YEAR))
  for (const customer_id of customers.slice(-MEMBERS))
    await send('POST', '/billing_schedules', {
      customer_id,
      processing_id: shop,
      description: 'Coffee club',
      end_date: expiring,
      recurring_frequency: 'monthly',
      monthly: { billing_day: 15 },
      charges: [{ description: 'A bag of coffee', amount: CLUB }],
    })
  return { id: shop, staff: await hireStaff({ send }), customers }
}

/** E-mail address of the demo's owner. */
export const OWNER_EMAIL = 'mara@example.com'

/** Adds an owner and a cashier with limits. */
async function hireStaff({ send }: Pick<DemoYear, 'send'>): Promise<DemoStaff> {
  const hire = async (body: JsonObject) => String((await send('POST', '/admin/operators', body)).id)
  return {
    owner: await hire({ name: 'Mara Lind', email: OWNER_EMAIL, role: 'owner' }),
    cashier: await hire({
      name: 'Tom Reyes',
      email: 'tom@example.com',
      role: 'cashier',
      limit_each: 200,
      limit_day: 1_000,
    }),
  }
}

export function card(card_number: string | undefined): JsonObject {
  return { type: 'card', card: { card_number: card_number ?? CARDS[0], expiry: '12/39' } }
}

function bankAccount(index: number): JsonObject {
  const account_number = `12345678${index}0`
  return {
    type: 'bank_account',
    bank_account: { account_number, routing_number: '021000021', account_type: 'checking' },
  }
}
