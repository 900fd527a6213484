import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import { waitForName } from '../../engine/store/database/differences.js'
import type { GatewayRow } from '../../engine/store/database/tables.js'
import type { CredentialsCheck } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { CHECK } from './circuit-words.js'
import type { Gateways } from './gateways.js'
import { closeCircuits, noteCause } from './note-problem.js'
import {
  openCredentials,
  type RailDeclaration,
  type RailDeclarations,
  readCredentials,
  refuseCredentials,
  type Secrets,
  sealCredentials,
} from './sealed-credentials.js'

export interface GatewayRuleOptions {
  readonly gateways: Gateways
  readonly rails: RailDeclarations
  /** Whether addresses on this machine are taken, for tests: over http, and with credentials of any mode. */
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
  const sealed = (work: Work, id: string, rail: RailDeclaration, url: string | null, secrets: Secrets) => {
    refuseCredentials(secrets, rail, work.environment, loopback && LOOPBACK.test(url ?? ''))
    return sealCredentials(work.vault, id, secrets)
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

  return {
    async create(work, { credentials, ...input }) {
      const rail = railOf(input.kind)
      await refuseTaken(work, input.name ?? '')
      const base_url = addressOf(rail, input.base_url)
      const row = await work.createPlainly(resources.gateway, { ...input, base_url })
      const sealed_credentials = sealed(work, row.id, rail, base_url, readCredentials(credentials, rail))
      return announced(
        work,
        await work.change(resources.gateway, row.id, { sealed_credentials, status: 'active' }),
      )
    },

    async update(work, row, { credentials, ...input }) {
      const rail = railOf(row.kind)
      const changed = await work.updatePlainly(resources.gateway, row, { ...input })
      const base_url = addressOf(rail, changed.base_url)
      const secrets = { ...openCredentials(work.vault, row), ...readCredentials(credentials, rail) }
      const sealed_credentials = sealed(work, row.id, rail, base_url, secrets)
      await closeCircuits(work, row.id)
      return announced(work, await work.change(resources.gateway, row.id, { base_url, sealed_credentials }))
    },

    /** The outcome of a pending operation would never be known. */
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
        perform: async (work, row) =>
          announced(work, await work.change(resources.gateway, row.id, { status: 'paused' })),
      },
      resume: {
        perform: async (work, row) =>
          announced(work, await work.change(resources.gateway, row.id, { status: 'active' })),
      },
      test: {
        async perform(work, row) {
          const gateway = await gateways.connect(work, row)
          work.afterCommit({
            async perform() {
              const check = await checked(gateway.check?.())
              return async (later) => {
                await noteCheck(later, row.id, check)
                gateways.changed()
                return check.ok ? undefined : invalidAttributes({ credentials: check.found })
              }
            },
          })
          return row
        },
      },
    },
  }
}

/** Stores the result of a gateway's check of its credentials. */
async function noteCheck(work: Work, id: string, { ok, found }: CredentialsCheck): Promise<void> {
  const row = await work.find(resources.gateway, id)
  if (!row) return
  if (ok) await closeCircuits(work, id)
  else
    await noteCause(work, id, {
      scope: 'reading',
      subject: CHECK,
      problem: found,
      noticedAt: work.realMilliseconds,
    })
  await work.change(resources.gateway, id, { checked_at: work.now, ...(ok && { account: found }) })
}

async function checked(request: Promise<CredentialsCheck> | undefined): Promise<CredentialsCheck> {
  if (!request) return { ok: true, found: 'nothing to check' }
  try {
    return await request
  } catch (error) {
    return { ok: false, found: error instanceof Error ? error.message : String(error) }
  }
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
