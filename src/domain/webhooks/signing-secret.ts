import type { WebhookRow } from '../../engine/store/database/tables.js'
import { sealedPlace } from '../../engine/store/vault/sealed-columns.js'
import type { Place, Vault } from '../../engine/store/vault/vault.js'
import type { Random } from '../../platform/random.js'
import { datetimeOf } from '../../schema/datetime.js'

const BYTES = 32

/** A new signing secret, in the form of Standard Webhooks: `whsec_` and 256 random bits in base64. */
export function makeSigningSecret(random: Random): string {
  return `whsec_${Buffer.from(random.bytes(BYTES)).toString('base64')}`
}

/** The columns of a webhook that hold a secret, sealed: the one that signs, the one before it, and that of its OAuth client. */
type SecretColumn = 'sealed_secret' | 'sealed_previous_secret' | 'sealed_oauth_secret'

/** Columns that a sealed secret is bound to: its row, and for an OAuth secret also the addresses and the client. */
type Placing = Pick<WebhookRow, 'id' | 'url' | 'oauth_token_url' | 'oauth_client_id'>

export function secretPlace(column: SecretColumn, webhook: Placing): Place {
  return sealedPlace('webhooks', column, webhook)
}

/** Seals the current secret again for the column of the previous one: a sealed text is bound to its column. */
export function sealAsPrevious(vault: Vault, webhook: Placing, sealed: string): string {
  return vault.seal(
    vault.open(sealed, secretPlace('sealed_secret', webhook)),
    secretPlace('sealed_previous_secret', webhook),
  )
}

/**
 * Secrets that sign a webhook's notifications at `now` (milliseconds since 1970): its own, and during an overlap the
 * previous one. Throws a `SealBroken` when they cannot be opened.
 */
export function secretsOf(webhook: WebhookRow, vault: Vault, now: number): readonly string[] {
  const { sealed_secret: current, sealed_previous_secret: previous } = webhook
  const isOverlap = (webhook.previous_secret_until ?? '') > datetimeOf(now)
  const known = opened.get(webhook)
  if (known?.isOverlap === isOverlap) return known.secrets
  const secrets: string[] = []
  if (current !== null) secrets.push(vault.open(current, secretPlace('sealed_secret', webhook)))
  if (isOverlap && previous !== null)
    secrets.push(vault.open(previous, secretPlace('sealed_previous_secret', webhook)))
  opened.set(webhook, { isOverlap, secrets })
  return secrets
}
/** Decrypted secrets by row object, so that each row is decrypted once. */
const opened = new WeakMap<WebhookRow, { readonly isOverlap: boolean; readonly secrets: readonly string[] }>()
