/**
 * Keeps books by the code of another tree, and prints the JSON of `OldAnswers`.
 *
 * Usage: keep-books.ts <tree> <JSON of a Place>
 */
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import type { Json, JsonObject } from '../../src/schema/json.js'
import type { Method } from '../../src/schema/resource.js'
import type { TestCore } from '../../test/support/core.js'
import type { Place } from '../../test/support/databases.js'
import { askKept, askList, type Kept, LISTS, type OldAnswers } from './books.js'

const [tree = '', text = ''] = process.argv.slice(2)
const place: Place = JSON.parse(text)
const from = (file: string) => import(pathToFileURL(join(tree, file)).href)

const { openApp }: typeof import('../../src/app.js') = await from('src/app.ts')
const { operator }: typeof import('../../src/engine/core/request/principal.js') = await from(
  'src/engine/core/request/principal.ts',
)
const { migrationNames }: typeof import('../../src/engine/store/migrations/builder/migration.js') =
  await from('src/engine/store/migrations/builder/migration.ts')
const { story }: typeof import('../../test/domain/verify/story.js') = await from(
  'test/domain/verify/story.ts',
)

const app = openApp({ ...place })
try {
  const environment = await app.environment('test')
  const { core } = environment
  const asked = { core, principal: operator }
  const send = async (method: Method, path: string, body?: Json) =>
    await core.handle({ method, path, body, query: [], principal: operator })
  const ok: TestCore['ok'] = async (method, path, body) => {
    const answer = await send(method, path, body)
    if (answer.status === 200) return answer.body
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  await story({ app, environment, place, send, ok })

  const [shop] = await askList(asked, '/processing_accounts')
  const card = { card_number: '4242424242424242', expiry: '12/39', card_code: '123' }
  const payment_method = { type: 'card', account_holder: 'Ada Byron', card }
  const kept: Kept[] = []
  const keep = async (path: string, body: JsonObject): Promise<JsonObject> => {
    const request = { path, body, idempotencyKey: `key ${kept.length}` }
    const answer = await askKept(asked, request)
    kept.push({ ...request, answer })
    return JSON.parse(answer)
  }
  const payment = { type: 'payment', amount: 12.5, processing_id: shop?.id ?? null, payment_method }
  const paid = await keep('/transactions', payment)
  const refund = { type: 'refund', amount: 2.5, ledger: [{ assoc_transaction_id: paid.id ?? null }] }
  await keep('/transactions', refund)
  await keep('/customers', { name: 'Ada Byron', email: 'ada@example.com' })
  await keep('/payment_links', { amount: 10, description: 'A book', processing_id: shop?.id ?? null })

  const lists: Record<string, JsonObject[]> = {}
  for (const path of LISTS) lists[path] = await askList(asked, path)
  const answers: OldAnswers = { last: migrationNames.at(-1) ?? '', kept, lists }
  process.stdout.write(JSON.stringify(answers))
} finally {
  await app.close()
}
