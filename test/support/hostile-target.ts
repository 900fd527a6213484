import type { Target } from '../../simulation/hostile-load/hostile-load.js'
import { payctl } from '../cli/commands/payctl.js'
import { idOf, objectOf } from './core.js'
import type { Place } from './databases.js'
import { card, processingAccount } from './examples.js'
import { REDIRECT } from './oauth.js'
import { startServer } from './server-process.js'

/** Starts `payctl serve` with open sign-up, and with an application whose client key is public. */
export async function hostileTarget(
  place: Place,
): Promise<{ readonly target: Target; stop(): Promise<number | null> }> {
  const made = await payctl(place, ['keys', 'create', '--manage', '--json'])
  const { secret_key: key } = objectOf(JSON.parse(made.stdout))
  // Without a rate limit, every sign-up request makes the server compute a password hash.
  const server = await startServer(place, ['--sign-up-rate', '0'])
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) =>
    await fetch(server.address + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const create = async (path: string, body: object) =>
    idOf(objectOf(JSON.parse(await (await post(path, body)).text())))
  const processing_id = await create('/processing_accounts', processingAccount())
  const clientId = await create('/orgs', { name: 'Ledgerly', industry: 'books', org_type: 'business' })
  await create('/admin/oauth_redirects', { org_id: clientId, uri: REDIRECT })
  const clientKey = await create('/access_tokens', { type: 'client' })
  const payment = { type: 'payment', amount: 10, payment_method: card(), processing_id }
  const pay = async () => {
    const answer = await post('/transactions', payment)
    await answer.text()
    return answer.status
  }
  return { target: { address: server.address, clientKey, clientId, pay }, stop: () => server.stop() }
}
