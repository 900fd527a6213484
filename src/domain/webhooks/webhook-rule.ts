import { authorize } from '../../engine/core/query/authorize.js'
import { invalidAttributes } from '../../engine/core/request/api-error.js'
import { isUnbound, ownAccount, type Principal } from '../../engine/core/request/principal.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import type { WebhookRow } from '../../engine/store/database/tables.js'
import type { Random } from '../../platform/random.js'
import { resources } from '../../resources/resource-table.js'
import { FIRED, type Trigger } from '../../resources/trigger.js'
import { datetimeOf } from '../../schema/datetime.js'
import type { Input, InputFor } from '../../schema/types.js'
import { addressProblem } from './receiver-address.js'
import { makeSigningSecret, sealAsPrevious, secretPlace } from './signing-secret.js'

/** Default overlap of a rotation, in seconds, during which both secrets sign: a day. */
const OVERLAP_SECONDS = 86_400
/** A new webhook gets its credentials only after they were checked. */
const NO_CREDENTIALS = { oauth_token_url: undefined, oauth_client_id: undefined }

/**
 * Rule of webhooks. A webhook stores its maker: the caller that created it or, without the permission `manage`, last
 * changed its address. It is notified only of objects that its maker may see. Its signing secret is shown once and
 * sealed at rest. `rotate_secret` makes another one, and both sign until the overlap ends. Spec: "Events".
 */
export function webhookRule(random: Random): Rule<typeof resources.webhook> {
  const secrets = new WeakMap<WebhookRow, string>()

  async function giveSecret(
    work: Work,
    webhook: WebhookRow,
    columns: Partial<WebhookRow>,
  ): Promise<WebhookRow> {
    const secret = makeSigningSecret(random)
    const sealed = work.vault.seal(secret, secretPlace('sealed_secret', webhook))
    const row = await work.change(resources.webhook, webhook.id, { ...columns, sealed_secret: sealed })
    secrets.set(row, secret)
    return row
  }

  return {
    async create(work, input) {
      refuseAddress(work, input.url)
      refuseTrigger(work, input.trigger)
      const processing_id = ownAccount(work.principal, input.processing_id)
      const row = await work.createPlainly(resources.webhook, { ...input, ...NO_CREDENTIALS, processing_id })
      const credentials = credentialsAfter(work, row, input)
      return await giveSecret(work, row, { ...makerOf(work.principal), ...credentials })
    },

    async update(work, row, input) {
      if (input.url !== row.url) refuseAddress(work, input.url)
      const credentials = credentialsAfter(work, row, input)
      const changed = await work.updatePlainly(resources.webhook, row, { ...input })
      const isMoved = changed.url !== row.url || changed.oauth_token_url !== row.oauth_token_url
      if (isMoved || changed.trigger !== row.trigger) refuseTrigger(work, changed.trigger)
      const maker = isMoved && !work.principal.manage ? makerOf(work.principal) : {}
      if (changed.sealed_oauth_secret === credentials.sealed_oauth_secret && !('key_id' in maker))
        return changed
      return await work.change(resources.webhook, row.id, { ...credentials, ...maker })
    },

    /** Removes the webhook's secrets together with it. */
    async delete(work, row) {
      await work.change(resources.webhook, row.id, {
        sealed_secret: null,
        sealed_previous_secret: null,
        sealed_oauth_secret: null,
      })
      await work.deletePlainly(resources.webhook, row)
    },

    actions: {
      rotate_secret: {
        async perform(work, row, input) {
          return await giveSecret(work, row, overlapOf(work, row, input))
        },
      },
    },

    shownOnce(row) {
      const secret = secrets.get(row)
      return secret === undefined ? undefined : { secret }
    },
  }
}

function refuseAddress({ environment }: Work, url: string | null | undefined): void {
  const problem = url && addressProblem(environment, url)
  if (problem) throw invalidAttributes({ url: problem })
}

/** Refuses a trigger of objects that the caller may not read. Throws `Forbidden`. */
function refuseTrigger({ principal }: Work, trigger: Trigger | null | undefined): void {
  if (trigger) authorize(principal, 'GET', resources[FIRED[trigger].object])
}

function makerOf(principal: Principal): Partial<WebhookRow> {
  const { id, processingIds } = principal
  return {
    key_id: isUnbound(principal) ? null : id,
    processing_ids: processingIds ? JSON.stringify(processingIds) : null,
  }
}

/** The old secret continues to sign during the overlap. If a still older secret was signing, it ends now. */
function overlapOf({ vault, realMilliseconds }: Work, row: WebhookRow, input: Input): Partial<WebhookRow> {
  const seconds = Number(input.overlap ?? OVERLAP_SECONDS)
  if (seconds === 0 || row.sealed_secret === null) {
    return { sealed_previous_secret: null, previous_secret_until: null }
  }
  return {
    sealed_previous_secret: sealAsPrevious(vault, row, row.sealed_secret),
    previous_secret_until: datetimeOf(realMilliseconds + seconds * 1000),
  }
}

type Credentials = Pick<WebhookRow, 'oauth_token_url' | 'oauth_client_id' | 'sealed_oauth_secret'>

const NONE: Credentials = { oauth_token_url: null, oauth_client_id: null, sealed_oauth_secret: null }

/**
 * The OAuth credentials of a webhook after a change: all of them or none. A new address of the token or the webhook
 * requires the secret. No caller can therefore have the secret or its tokens sent to another address. Throws
 * `InvalidAttributes`.
 */
function credentialsAfter(
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
