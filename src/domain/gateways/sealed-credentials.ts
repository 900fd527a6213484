import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Environment } from '../../engine/store/database/store.js'
import type { GatewayRow } from '../../engine/store/database/tables.js'
import type { Vault } from '../../engine/store/vault/vault.js'
import { parsedJson } from '../../schema/json.js'
import { isTree } from '../../schema/types.js'

/** Secrets by the names that a rail declares. */
export type Secrets = { readonly [name: string]: string | undefined }

/** The part of a rail's declaration that its configuration is checked against. */
export interface RailDeclaration {
  readonly title: string
  readonly secrets: readonly {
    readonly name: string
    readonly required?: true
    readonly begins?: { readonly test: readonly string[]; readonly live: readonly string[] }
  }[]
  readonly baseUrl: { readonly test: string; readonly live: string } | undefined
}

/** Declarations by kind of rail. */
export type RailDeclarations = { readonly [kind: string]: RailDeclaration }

const place = (id: string) => ({ table: 'admin_gateways', column: 'sealed_credentials', id })

export function sealCredentials(vault: Vault, id: string, secrets: Secrets): string {
  return vault.seal(JSON.stringify(secrets), place(id))
}

/** Throws a `SealBroken` when they were changed, or their key is missing. */
export function openCredentials(
  vault: Vault,
  { id, sealed_credentials: sealed }: Pick<GatewayRow, 'id' | 'sealed_credentials'>,
): Secrets {
  return sealed === null ? {} : secretsIn(parsedJson(vault.open(sealed, place(id))))
}

/** The secrets in a request. Throws `InvalidAttributes` for any that the rail does not declare. */
export function readCredentials(sent: unknown, { secrets: declared }: RailDeclaration): Secrets {
  const given = sent === undefined || sent === null ? {} : secretsIn(sent)
  for (const name of Object.keys(given))
    if (!declared.some((secret) => secret.name === name))
      throw invalidAttributes({ credentials: { [name]: 'Unknown attribute' } })
  return given
}

/** Refuses credentials that are incomplete, or of the other mode. */
export function refuseCredentials(
  secrets: Secrets,
  { secrets: declared }: RailDeclaration,
  environment: Environment,
  anyMode: boolean,
): void {
  const other = environment === 'live' ? 'test' : 'live'
  for (const { name, required, begins } of declared) {
    const value = secrets[name]
    if (!value) {
      if (required) throw invalidAttributes({ credentials: { [name]: 'Required' } })
      continue
    }
    if (!begins || anyMode) continue
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
