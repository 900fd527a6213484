import { ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import { waitForName } from '../../engine/store/database/differences.js'
import type { GatewayRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { createEndpoint, removeEndpoint } from './gateway-endpoint.js'
import type { Gateways } from './gateways.js'
import { closeCircuits } from './note-problem.js'
import {
  type CredentialsOwner,
  openCredentials,
  type RailDeclaration,
  type RailDeclarations,
  readCredentials,
  refuseCredentials,
  refuseIncomplete,
  type Secrets,
  sealCredentials,
  verifiesNotifications,
} from './sealed-credentials.js'
import { testGateway } from './test-gateway.js'

export interface GatewayRuleOptions {
  readonly gateways: Gateways
  readonly rails: RailDeclarations
  /** Whether addresses on this machine are allowed, for tests: over http, and with credentials of any mode. */
  readonly loopback: boolean
}

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?(\/|$)/

/** Connections to processors. Their credentials are sealed, checked against the environment, and never shown. */
export function gatewayRule({
  gateways,
  rails,
  loopback,
}: GatewayRuleOptions): Rule<typeof resources.gateway> {
  const railOf = (kind: string | null | undefined): RailDeclaration => {
    const rail = kind ? rails[kind] : undefined
    if (!rail) throw invalidAttributes({ kind: `Must be one of: ${Object.keys(rails).join(', ')}` })
    return rail
  }
  const addressOf = (rail: RailDeclaration, url: string | null | undefined): string | null => {
    if (!url) {
      if (!rail.baseUrl) throw invalidAttributes({ base_url: 'Required' })
      return null
    }
    const problem = addressProblem(url, loopback)
    if (problem) throw invalidAttributes({ base_url: problem })
    return url.replace(/\/+$/, '')
  }
  const sealed = (work: Work, owner: CredentialsOwner, rail: RailDeclaration, secrets: Secrets) => {
    refuseCredentials(secrets, rail, work.environment, loopback && LOOPBACK.test(owner.base_url ?? ''))
    return sealCredentials(work.vault, owner, secrets)
  }
  const announced = (work: Work, row: GatewayRow): GatewayRow => {
    gateways.changed()
    work.emit({
      trigger: 'gateway',
      object: resources.gateway,
      id: row.id,
      value: row.status,
      processingId: null,
    })
    return row
  }
  /** Throws `Conflict` if the row was changed outside payctl, because this write would seal those changes. */
  const setStatus = async (work: Work, row: GatewayRow, status: 'active' | 'paused') => {
    const problem = await work.sealProblem('admin_gateways', row.id, row)
    if (problem !== undefined) throw new ApiError('Conflict', problem)
    return announced(work, await work.change(resources.gateway, row.id, { status }))
  }

  return {
    restates: true,

    async create(work, { credentials, ...input }) {
      const rail = railOf(input.kind)
      await refuseTaken(work, input.name ?? '')
      const base_url = addressOf(rail, input.base_url)
      const since = input.since ?? (work.now < work.realNow ? work.now : work.realNow)
      const row = await work.createPlainly(resources.gateway, { ...input, base_url, since })
      const secrets = readCredentials(credentials, rail)
      return announced(
        work,
        await work.change(resources.gateway, row.id, {
          sealed_credentials: sealed(work, row, rail, secrets),
          verifies_notifications: verifiesNotifications(secrets, rail),
          status: 'active',
        }),
      )
    },

    async update(work, row, { credentials, ...input }) {
      const rail = railOf(row.kind)
      const opened = await openedAsSealed(work, row)
      const changed = await work.updatePlainly(resources.gateway, row, { ...input })
      const base_url = addressOf(rail, changed.base_url)
      const owner = { ...changed, base_url }
      const given = readCredentials(credentials, rail)
      const kept = keptCredentials(opened, row, owner)
      if (kept === 'changed') refuseUnstated(row, input)
      if (typeof kept === 'string') refuseIncomplete(given, rail, ANEW[kept])
      const secrets = typeof kept === 'string' ? given : { ...kept, ...given }
      const sealed_credentials = sealed(work, owner, rail, secrets)
      await closeCircuits(work, row.id)
      return announced(
        work,
        await work.change(resources.gateway, row.id, {
          base_url,
          sealed_credentials,
          verifies_notifications: verifiesNotifications(secrets, rail),
          // The stored cursors are not trustworthy: lists are read again from the beginning.
          ...(kept === 'changed' && FROM_THE_BEGINNING),
        }),
      )
    },

    /** Refused while an operation is pending: its outcome would never be known. */
    async delete(work, row) {
      const [open] = await work.tx.db
        .selectFrom('transactions')
        .select('id')
        .where('gateway', '=', row.name)
        .where('pending_operation', 'is not', null)
        .unionAll(
          work.tx.db
            .selectFrom('admin_exceptions')
            .select('id')
            .where('gateway', '=', row.name)
            .where('pending_operation', 'is not', null),
        )
        .limit(1)
        .execute()
      if (open) throw invalidAttributes({ name: `An operation at it has no outcome yet: ${open.id}` })
      await work.tx.db.deleteFrom('gateway_routes').where('gateway_id', '=', row.id).execute()
      await closeCircuits(work, row.id)
      const emptied = await work.change(resources.gateway, row.id, { sealed_credentials: null })
      await work.deletePlainly(resources.gateway, emptied)
      announced(work, emptied)
    },

    actions: {
      pause: {
        perform: async (work, row) => await setStatus(work, row, 'paused'),
      },
      resume: {
        perform: async (work, row) => await setStatus(work, row, 'active'),
      },
      test: {
        perform: async (work, row) => await testGateway(work, gateways, row),
      },
      endpoint: {
        perform: async (work, row) => await createEndpoint(work, { gateways, rails, loopback }, row),
      },
      remove_endpoint: {
        perform: async (work, row) => await removeEndpoint(work, gateways, row),
      },
    },
  }
}

/**
 * The stored credentials, if the gateway keeps its address and merchant. Otherwise the reason why new ones are
 * required. `moved`: old credentials must not go to a new address. `changed`: the row was changed outside payctl.
 */
function keptCredentials(
  opened: Secrets | undefined,
  row: GatewayRow,
  owner: CredentialsOwner,
): Secrets | keyof typeof ANEW {
  if (!opened) return 'changed'
  return row.base_url === owner.base_url && row.merchant === owner.merchant ? opened : 'moved'
}

/** The stored credentials, if the row matches its seal; undefined otherwise. */
async function openedAsSealed(work: Work, row: GatewayRow): Promise<Secrets | undefined> {
  const problem = await work.sealProblem('admin_gateways', row.id, row)
  return problem === undefined ? openCredentials(work.vault, row) : undefined
}

const FROM_THE_BEGINNING = {
  notifications_cursor: null,
  settlements_cursor: null,
  settlements_compared_until: null,
}

const ANEW = {
  moved: 'Required, as its address or merchant changes',
  changed: 'Required, as the gateway was changed by something other than payctl',
} as const

/** Requires address and merchant in the input, so that stored values which payctl did not write are not kept. */
function refuseUnstated(
  row: GatewayRow,
  input: { readonly base_url?: unknown; readonly merchant?: unknown },
) {
  for (const name of ['base_url', 'merchant'] as const)
    if (row[name] !== null && input[name] === undefined) throw invalidAttributes({ [name]: ANEW.changed })
}

async function refuseTaken(work: Work, name: string): Promise<void> {
  if (!/^[a-z0-9][a-z0-9_-]*$/.test(name))
    throw invalidAttributes({ name: 'Must be lower case letters, digits, - and _' })
  await waitForName(work.tx, `gateway ${name}`)
  const [known] = await work.findBy(resources.gateway, 'name', name)
  if (known) throw invalidAttributes({ name: 'Is taken' })
}

/** Reason why requests cannot go to an address; undefined if they can. */
function addressProblem(text: string, loopback: boolean): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return 'Must be an address, as in https://pay.example.com'
  if (url.protocol === 'https:') return undefined
  if (LOOPBACK.test(text) && url.protocol === 'http:')
    return loopback ? undefined : 'Is on this machine, which is for tests: set PAYCTL_GATEWAY_LOOPBACK=1'
  return 'Must begin with https://'
}
