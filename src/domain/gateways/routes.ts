import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { AdminRules } from '../../engine/core/write/rule.js'
import type { Work } from '../../engine/core/write/work.js'
import type { GatewayRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { Gateways } from './gateways.js'
import { routeId } from './route-id.js'

/** Rules of routes. A route decides to which gateway new operations go, by kind of method and processing account. */
export function routeRules(
  gateways: Gateways,
): Pick<AdminRules, 'read_gateway_routes' | 'set_gateway_routes'> {
  return {
    read_gateway_routes: { perform: async (work) => ({ routes: await routesOf(work) }) },
    set_gateway_routes: {
      async perform(
        work,
        { default: both, card, bank_account: bank, processing_id: processingId, merchant },
      ) {
        const account = processingId ?? null
        if (account !== null && !(await work.find(resources.processing_account, account)))
          throw invalidAttributes({ processing_id: 'Not found' })
        if (both === undefined && card === undefined && bank === undefined)
          throw invalidAttributes({ default: 'Required' })
        if (merchant && account === null)
          throw invalidAttributes({ merchant: 'Is for one processing account: processing_id is required' })
        const to = { account, merchant: merchant ?? null }
        await setRoute(work, 'default', null, to, both)
        await setRoute(work, 'card', 'card', to, card)
        await setRoute(work, 'bank_account', 'bank_account', to, bank)
        gateways.changed()
        return { routes: await routesOf(work) }
      },
    },
  }
}

/** The gateway with a name or an id. */
async function gatewayNamed(work: Work, name: string): Promise<GatewayRow | undefined> {
  const [byName] = await work.findBy(resources.gateway, 'name', name)
  return byName ?? (await work.find(resources.gateway, name))
}

/** Sets a route to a gateway, or removes the route if `name` is null. Changes no route if `name` is undefined. */
async function setRoute(
  work: Work,
  attribute: string,
  method: string | null,
  { account: processingId, merchant }: { readonly account: string | null; readonly merchant: string | null },
  name: string | null | undefined,
): Promise<void> {
  if (name === undefined) return
  const id = routeId(processingId, method)
  await work.tx.db.deleteFrom('gateway_routes').where('id', '=', id).execute()
  if (name === null) return
  const gateway = await gatewayNamed(work, name)
  if (!gateway) throw invalidAttributes({ [attribute]: 'Not found' })
  await work.tx.db
    .insertInto('gateway_routes')
    .values({
      id,
      gateway_id: gateway.id,
      method,
      processing_id: processingId,
      merchant,
      created_at: work.now,
    })
    .execute()
  work.emit({
    trigger: 'gateway',
    object: resources.gateway,
    id: gateway.id,
    value: 'routed',
    processingId,
  })
}

interface ShownRoute {
  readonly method: 'card' | 'bank_account' | null
  readonly processing_id: string | null
  readonly gateway: string | null
  readonly gateway_id: string
  readonly merchant: string | null
  readonly problem: string | null
}

async function routesOf({ tx }: Work): Promise<ShownRoute[]> {
  const rows = await tx.db
    .selectFrom('gateway_routes as r')
    .innerJoin('admin_gateways as g', 'g.id', 'r.gateway_id')
    .select(['r.method', 'r.processing_id', 'r.merchant', 'g.name', 'g.id', 'g.problem'])
    .orderBy('r.id')
    .execute()
  return rows.map(({ method, processing_id, merchant, name, id, problem }) => ({
    method: method === 'card' || method === 'bank_account' ? method : null,
    processing_id,
    gateway: name,
    gateway_id: id,
    merchant,
    problem,
  }))
}
