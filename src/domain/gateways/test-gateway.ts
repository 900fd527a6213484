import type { Work } from '../../engine/core/write/work.js'
import type { GatewayRow } from '../../engine/store/database/tables.js'
import type { CheckedGateway, CircuitScope, GatewayCheck, RemoteGateway } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { CHECK } from './circuit-words.js'
import type { Gateways } from './gateways.js'
import { closeCircuits, noteCause } from './note-problem.js'

/** Longest text of a problem that is stored, in characters. */
const MAX_PROBLEM = 500

/** Checks, after the commit, whether a gateway is ready for live payments, and stores the result. */
export async function testGateway(work: Work, gateways: Gateways, row: GatewayRow): Promise<GatewayRow> {
  const gateway = await gateways.connect(work, row)
  const facts = await factsFor(work, row)
  work.afterCommit({
    async perform() {
      const checks = await checksOf(gateway, facts)
      return async (later) => {
        await noteChecks(later, row.id, checks)
        gateways.changed()
        return undefined
      }
    },
  })
  return row
}

/** Facts about a gateway that its rail needs for checks and endpoints. */
export async function factsFor(
  work: Work,
  { id, card_entry: entry }: Pick<GatewayRow, 'id' | 'card_entry'>,
): Promise<CheckedGateway> {
  const merchant = await work.tx.db
    .selectFrom('gateway_routes')
    .select('id')
    .where('gateway_id', '=', id)
    .where('merchant', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  const address = work.addresses.show(resources.gateway.fields.notifications_url, id, work.now)
  return { endpoint: address ?? '', hasMerchants: merchant !== undefined, takesNumbers: entry === 1 }
}

async function checksOf(gateway: RemoteGateway, facts: CheckedGateway): Promise<readonly GatewayCheck[]> {
  if (!gateway.check) return []
  try {
    return await gateway.check(facts)
  } catch (error) {
    const found = (error instanceof Error ? error.message : String(error)).slice(0, MAX_PROBLEM)
    return [{ name: 'account', state: 'failed', found }]
  }
}

/**
 * Stores the result of a test. A test without failures closes all circuits, except the circuits of method kinds that
 * the gateway refused in the test. A failed test is recorded as a cause.
 */
async function noteChecks(work: Work, id: string, found: readonly GatewayCheck[]): Promise<void> {
  const row = await work.find(resources.gateway, id)
  if (!row) return
  const checks = found.map((check) => ({ ...check, found: withCommand(work, row, check.found) }))
  const failed = checks.filter(({ state }) => state === 'failed')
  const refused = checks.flatMap(({ state, scope }) => (state !== 'ok' && scope ? [scope] : []))
  if (failed.length === 0) await closeCircuits(work, id, { but: refused })
  // The first check was passed: the gateway was reached and accepts the credentials.
  else if (checks[0]?.state === 'ok') await closeCircuits(work, id, { only: OF_CREDENTIALS })
  if (failed.length > 0)
    await noteCause(work, id, {
      scope: 'reading',
      subject: CHECK,
      problem: failed.map(({ name, found }) => `${name}: ${found}`).join('; '),
      noticedAt: work.realMilliseconds,
    })
  const [account] = checks
  await work.change(resources.gateway, id, {
    checked_at: work.now,
    checks: JSON.stringify(checks.map(({ name, state, found }) => ({ name, state, found }))),
    ...(account?.state === 'ok' && { account: account.found }),
  })
}

/** Completes the commands in a rail's text with the gateway's name, which rails do not know. */
function withCommand({ environment }: Work, { name }: GatewayRow, text: string): string {
  const flag = environment === 'live' ? ' --env live' : ''
  return text.replaceAll(/(?<!payctl )gateways update(?= |$)/g, `payctl gateways update ${name}${flag}`)
}

const OF_CREDENTIALS: readonly CircuitScope[] = ['gateway', 'unreachable']
