import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Environment } from '../../engine/store/database/store.js'
import type { GatewayRow } from '../../engine/store/database/tables.js'
import { sealedPlace } from '../../engine/store/vault/sealed-columns.js'
import { SealBroken, type Vault } from '../../engine/store/vault/vault.js'
import { parsedJson } from '../../schema/json.js'
import { isTree } from '../../schema/types.js'

/** Secrets by the names that a rail declares. */
export type Secrets = { readonly [name: string]: string | undefined }

/** The part of a rail's declaration that is needed to read and check a configuration. */
export interface RailDeclaration {
  readonly title: string
  readonly secrets: readonly {
    readonly name: string
    readonly doc: string
    readonly required?: true
    readonly isPublic?: true
    readonly verifies?: true
    readonly begins?: { readonly test: readonly string[]; readonly live: readonly string[] }
  }[]
  readonly baseUrl: { readonly test: string; readonly live: string } | undefined
}

/** Declarations by kind of rail. */
export type RailDeclarations = { readonly [kind: string]: RailDeclaration }

/** Columns of a gateway that its credentials are bound to. */
export type CredentialsOwner = Pick<GatewayRow, 'id' | 'name' | 'kind' | 'base_url' | 'merchant'>

const placeOf = (owner: CredentialsOwner) => sealedPlace('admin_gateways', 'sealed_credentials', owner)

export function sealCredentials(vault: Vault, owner: CredentialsOwner, secrets: Secrets): string {
  return vault.seal(JSON.stringify(secrets), placeOf(owner))
}

/**
 * The decrypted credentials of a gateway. Undefined if decryption fails because name, kind, address or merchant of the
 * row were changed outside payctl.
 */
export function openCredentials(
  vault: Vault,
  row: CredentialsOwner & Pick<GatewayRow, 'sealed_credentials'>,
): Secrets | undefined {
  try {
    return secretsIn(parsedJson(vault.open(row.sealed_credentials ?? '', placeOf(row))))
  } catch (error) {
    if (error instanceof SealBroken) return undefined
    throw error
  }
}

/** The secrets in a request. Throws `InvalidAttributes` for any that the rail does not declare. */
export function readCredentials(sent: unknown, { secrets: declared }: RailDeclaration): Secrets {
  const given = sent === undefined || sent === null ? {} : secretsIn(sent)
  for (const name of Object.keys(given))
    if (!declared.some((secret) => secret.name === name))
      throw invalidAttributes({ credentials: { [name]: 'Unknown attribute' } })
  return given
}

/** Whether the secret that verifies notifications is present, as a flag; null for a rail that needs none. */
export function verifiesNotifications(secrets: Secrets, rail: RailDeclaration): 0 | 1 | null {
  const verifying = rail.secrets.find(({ verifies }) => verifies)
  if (!verifying) return null
  return secrets[verifying.name] ? 1 : 0
}

/** Throws `InvalidAttributes` if a secret is missing that the rail requires. */
export function refuseIncomplete(
  secrets: Secrets,
  { secrets: declared }: RailDeclaration,
  reason: string,
): void {
  const missing = declared.filter(({ name, required }) => required && !secrets[name])
  if (missing.length > 0)
    throw invalidAttributes({ credentials: Object.fromEntries(missing.map(({ name }) => [name, reason])) })
}

/**
 * Throws `InvalidAttributes` for credentials that are incomplete or belong to the other mode (test or live). Also
 * refuses a secret key in place of a public one.
 */
export function refuseCredentials(
  secrets: Secrets,
  rail: RailDeclaration,
  environment: Environment,
  anyMode: boolean,
): void {
  refuseIncomplete(secrets, rail, 'Required')
  const other = environment === 'live' ? 'test' : 'live'
  for (const { name, begins, isPublic } of rail.secrets) {
    const value = secrets[name]
    if (!value || !begins) continue
    // Visitors of a page see a public key, so no other key may be in its place, whatever the mode.
    if (isPublic && ![...begins.test, ...begins.live].some((start) => value.startsWith(start)))
      throw invalidAttributes({
        credentials: { [name]: `Must begin with ${begins[environment].join(' or ')}` },
      })
    if (anyMode) continue
    const isOther = begins[other].some((start) => value.startsWith(start))
    if (isOther && !begins[environment].some((start) => value.startsWith(start)))
      throw invalidAttributes({ credentials: { [name]: `Is of ${other} mode, and this is ${environment}` } })
  }
}

function secretsIn(parsed: unknown): Secrets {
  if (!isTree(parsed)) throw invalidAttributes({ credentials: 'Must be an object of names and secrets' })
  const secrets: Record<string, string> = {}
  for (const [name, value] of Object.entries(parsed)) {
    if (typeof value !== 'string' || value.length > 10_000 || value.trim() === '')
      throw invalidAttributes({ credentials: { [name]: 'Must be text' } })
    secrets[name] = value.trim()
  }
  return secrets
}
