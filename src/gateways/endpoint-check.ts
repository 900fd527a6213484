import type { CheckedGateway, GatewayCheck } from './gateway-check.js'
import type { RailEndpoint } from './rail-endpoints.js'
import { shortProblem } from './short-problem.js'

const name = 'endpoint'

/** Checks that the gateway sends notifications to our endpoint, and that we have the secret to verify them. */
export async function checkEndpoint(
  { endpoint }: CheckedGateway,
  hasSecret: boolean,
  list: () => Promise<readonly RailEndpoint[]>,
): Promise<GatewayCheck> {
  let all: readonly RailEndpoint[]
  try {
    all = await list()
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return { name, state: 'unavailable', found: shortProblem(`It does not show its endpoints: ${problem}`) }
  }
  const own = all.filter(({ url }) => url === endpoint)
  const broken = own.find(({ problem }) => problem !== null)
  if (own.length === 0)
    return { name, state: 'unavailable', found: `It does not notify ${endpoint}: gateways update --endpoint` }
  if (broken)
    return {
      name,
      state: 'failed',
      found: `The endpoint ${broken.id} ${broken.problem}: gateways update --endpoint makes another`,
    }
  if (!hasSecret)
    return {
      name,
      state: 'failed',
      found: `It notifies ${endpoint}, but the secret of its notifications is not kept here: gateways update`,
    }
  return { name, state: 'ok', found: `It notifies ${endpoint}` }
}
