import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { OauthGrantRow, OauthTokenRow } from '../../../engine/store/database/tables.js'
import type { Random } from '../../../platform/random.js'
import { resources } from '../../../resources/resource-table.js'
import { datetimeOf } from '../../../schema/datetime.js'
import { makeKey, OAUTH_PURPOSE } from '../keys/secret.js'
import { expectSealed } from '../seals/not-as-sealed.js'
import { type OauthRefusal, oauthRefusal } from './oauth-refusal.js'

export const ACCESS_SECONDS = 3_600
const REFRESH_SECONDS = 60 * 86_400
/** Seconds after the first use of a refresh token in which a client that lost the answer may send the token again. */
const RESEND_SECONDS = 30

/** Tokens of a grant, shown to the application once. */
export interface OauthTokens {
  readonly kind: 'tokens'
  readonly access: string
  readonly refresh: string
  readonly scope: string
}

/** Gives a grant a new access and refresh token, stored as keyed hashes; expired ones are deleted. */
export async function issueTokens(
  work: Work,
  { id: grantId, scope }: Pick<OauthGrantRow, 'id' | 'scope'>,
  random: Random,
): Promise<OauthTokens> {
  const issue = async (kind: OauthTokenRow['kind'], seconds: number): Promise<string> => {
    const token = makeKey(work.environment, kind, random)
    const row: OauthTokenRow = {
      id: work.newId('tok_'),
      grant_id: grantId,
      kind,
      token_hash: work.vault.hash(token, OAUTH_PURPOSE),
      expires_at: datetimeOf(work.realMilliseconds + seconds * 1000),
      used_at: null,
    }
    await work.tx.db.insertInto('oauth_tokens').values(row).execute()
    return token
  }
  await work.tx.change(deleteExpired, { grantId, now: work.realNow })
  const access = await issue('access', ACCESS_SECONDS)
  return { kind: 'tokens', access, refresh: await issue('refresh', REFRESH_SECONDS), scope: scope ?? 'org' }
}

/**
 * Exchanges a refresh token for new tokens. The same refresh token may be used again within `RESEND_SECONDS` of its
 * first use. A later use suggests that it was stolen, so the grant is revoked with all its tokens. `clientIds` are
 * the organizations that the client claims to belong to. RFC 6749, section 6; RFC 9700, section 4.14.
 */
export async function refreshTokens(
  work: Work,
  { token, clientIds }: { readonly token: string; readonly clientIds: readonly string[] },
  random: Random,
): Promise<OauthTokens | OauthRefusal> {
  const refusal = unusableToken
  const hash = work.vault.hash(token, OAUTH_PURPOSE)
  const [found] = await work.tx.run(tokenByHash, { hash })
  if (found?.kind !== 'refresh') return refusal
  // The grant is locked first, so that a revocation and a refresh run one after the other.
  const grant = await work.lock(resources.oauth_grant, found.grant_id)
  // Before the lock, another request may have used the token or revoked the grant.
  const [row] = await work.tx.run(tokenByHash, { hash })
  if (!row || grant?.status !== 'active' || row.expires_at <= work.realNow) return refusal
  if (clientIds.some((id) => id !== grant.client_id)) return refusal
  await expectSealed(work, 'admin_oauth_grants', grant)
  await expectSealed(work, 'oauth_tokens', row)
  if (row.used_at === null) await work.tx.change(useToken, { id: row.id, now: work.realNow })
  else if (row.used_at < datetimeOf(work.realMilliseconds - RESEND_SECONDS * 1000)) {
    await revokeGrant(work, grant.id)
    return refusal
  }
  return await issueTokens(work, grant, random)
}

/** Refusal of a refresh token that is unknown, used, revoked or expired. */
export const unusableToken = oauthRefusal(
  'invalid_grant',
  'The refresh token is unknown, used, revoked or expired',
  { refresh_token: 'Must be a refresh token that was not used, revoked or expired' },
)

/** Revokes a grant and deletes its tokens. The grant stays listed. */
export async function revokeGrant(work: Work, id: string): Promise<void> {
  // The grant is locked first, as in a refresh, so that the two cannot deadlock.
  await work.lock(resources.oauth_grant, id)
  await work.tx.change(deleteAll, { grantId: id })
  await work.change(resources.oauth_grant, id, { status: 'revoked' })
}

/**
 * Revokes the grant that a token belongs to; an unknown token counts as revoked. Returns a refusal if the token
 * belongs to another application than the client. RFC 7009, section 2.1.
 */
export async function revokeToken(
  work: Work,
  token: string,
  clientIds: readonly string[],
): Promise<OauthRefusal | undefined> {
  const [row] = await work.tx.run(tokenByHash, { hash: work.vault.hash(token, OAUTH_PURPOSE) })
  if (!row) return undefined
  const grant = await work.lock(resources.oauth_grant, row.grant_id)
  if (clientIds.some((id) => id !== grant?.client_id))
    return oauthRefusal('invalid_grant', 'The token was made for another application', {
      token: 'Must be a token of this application',
    })
  await revokeGrant(work, row.grant_id)
  return undefined
}

const tokenByHash = prepared<{ hash: string }, OauthTokenRow>((db, param) =>
  db.selectFrom('oauth_tokens').selectAll().where('token_hash', '=', param('hash')),
)

/** Marks a token as used. The lock of its grant prevents that two concurrent requests both use it. */
const useToken = prepared<{ id: string; now: string }, unknown>((db, param) =>
  db
    .updateTable('oauth_tokens')
    .set({ used_at: param('now') })
    .where('id', '=', param('id')),
)

const deleteAll = prepared<{ grantId: string }, unknown>((db, param) =>
  db.deleteFrom('oauth_tokens').where('grant_id', '=', param('grantId')),
)

const deleteExpired = prepared<{ grantId: string; now: string }, unknown>((db, param) =>
  db
    .deleteFrom('oauth_tokens')
    .where('grant_id', '=', param('grantId'))
    .where('expires_at', '<=', param('now')),
)
