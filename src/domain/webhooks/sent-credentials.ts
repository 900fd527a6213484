import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Work } from '../../engine/core/write/work.js'
import type { WebhookRow } from '../../engine/store/database/tables.js'
import type { resources } from '../../resources/resource-table.js'
import type { InputFor } from '../../schema/types.js'
import { addressProblem } from './receiver-address.js'
import { secretPlace } from './signing-secret.js'

type Credentials = Pick<WebhookRow, 'oauth_token_url' | 'oauth_client_id' | 'sealed_oauth_secret'>

const NONE: Credentials = { oauth_token_url: null, oauth_client_id: null, sealed_oauth_secret: null }

/**
 * The OAuth credentials of a webhook after a change: all of them or none. A new address of the token or the webhook
 * requires the secret. No caller can therefore have the secret or its tokens sent to another address. Throws
 * `InvalidAttributes`.
 */
export function credentialsAfter(
  { environment, vault }: Work,
  row: Credentials & Pick<WebhookRow, 'id' | 'url'>,
  input: InputFor<typeof resources.webhook>,
): Credentials {
  const { oauth_token_url: url = row.oauth_token_url, oauth_client_id: client = row.oauth_client_id } = input
  if (url === null) {
    if (input.oauth_client_id || input.oauth_client_secret)
      throw invalidAttributes({ oauth_token_url: 'Required' })
    return NONE
  }
  const problem = addressProblem(environment, url)
  if (problem) throw invalidAttributes({ oauth_token_url: problem })
  if (client === null) throw invalidAttributes({ oauth_client_id: 'Required' })
  const receiver = input.url ?? row.url
  const isSame = receiver === row.url && url === row.oauth_token_url && client === row.oauth_client_id
  const given = input.oauth_client_secret
  const kept = isSame && given === undefined ? row.sealed_oauth_secret : null
  const changed = { oauth_token_url: url, oauth_client_id: client }
  const place = secretPlace('sealed_oauth_secret', { id: row.id, url: receiver, ...changed })
  const sealed = typeof given === 'string' ? vault.seal(given, place) : kept
  if (sealed === null) throw invalidAttributes({ oauth_client_secret: 'Required' })
  return { ...changed, sealed_oauth_secret: sealed }
}
