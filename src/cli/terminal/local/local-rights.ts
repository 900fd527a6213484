import type { Environment } from '../../../engine/store/database/store.js'
import { type Role, reaches } from '../../../schema/role.js'
import { Refusal } from '../failure/failure.js'
import type { Settings } from '../profiles/settings.js'
import { loginIn, nobody } from './local-client.js'

/**
 * Rights for a command that uses databases or keys of this machine directly, without the core. `in` is
 * where the operator needs the role: in the environment of the command, or in both environments of the
 * home.
 */
export type LocalRights = 'anybody' | { readonly least: Role; readonly in: 'environment' | 'home' }

/** Rights for commands that use the keys of a home, or copy or replace its databases. */
export const OWNER_OF_HOME = { least: 'owner', in: 'home' } as const satisfies LocalRights

/** Rights for commands that change one database without the core. */
export const OWNER_OF_ENVIRONMENT = { least: 'owner', in: 'environment' } as const satisfies LocalRights

/** Throws a `Refusal` unless the login of this process has the role for all processing accounts. */
export async function expectRole(
  command: string,
  settings: Settings,
  rights: Exclude<LocalRights, 'anybody'>,
): Promise<void> {
  const { loginAt } = await import('../../../domain/access/login-at.js')
  const { home, databaseUrl } = settings
  const environments: readonly Environment[] =
    rights.in === 'home' ? ['test', 'live'] : [settings.environment.value]
  for (const environment of environments) {
    const place = { home: home.value, databaseUrl: databaseUrl?.value, environment }
    const principal = await loginAt(place, loginIn(settings))
    if (!principal)
      throw new Refusal(nobody({ ...settings, environment: { ...settings.environment, value: environment } }))
    const { role = 'viewer', processingIds } = principal
    const needed = `payctl ${command} needs the role ${rights.least} in ${environment}`
    if (!reaches(role, rights.least)) throw forbidden(`${needed}; yours is ${role}`)
    if (processingIds) throw forbidden(`${needed}, and yours is narrowed to processing accounts`)
  }
}

function forbidden(error_description: string): Refusal {
  const body = { object: 'error', error_type: 'Forbidden', error_description, details: {} }
  return new Refusal({ status: 403, headers: {}, body })
}
