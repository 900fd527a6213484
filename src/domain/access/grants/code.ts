import { createHash } from 'node:crypto'
import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { OauthGrantRow } from '../../../engine/store/database/tables.js'
import type { Random } from '../../../platform/random.js'
import { resources } from '../../../resources/resource-table.js'
import { datetimeOf } from '../../../schema/datetime.js'
import { makeKey, OAUTH_PURPOSE } from '../keys/secret.js'
import { expectSealed } from '../seals/not-as-sealed.js'
import type { Application } from './application.js'
import { issueTokens, type OauthTokens, revokeGrant } from './grant-tokens.js'
import { type OauthRefusal, oauthRefusal } from './oauth-refusal.js'

const CODE_SECONDS = 60

/** Access that a user grants to an application, after the application was checked. */
export interface Granting {
  readonly application: Application
  readonly userId: string
  readonly orgId: string
  /** Processing accounts of the organization that the user ticked, for the scope `processing`. */
  readonly processingIds: readonly string[]
}

/** Records a grant. Returns its code, which is stored as a keyed hash and can be exchanged once within 60 seconds. */
export async function grantAccess(
  work: Work,
  { application, userId, orgId, processingIds }: Granting,
  random: Random,
): Promise<string> {
  const code = makeKey(work.environment, 'code', random)
  await work.insert(resources.oauth_grant, {
    ...work.blank(resources.oauth_grant),
    client_id: application.orgId,
    org_id: orgId,
    user_id: userId,
    scope: application.scope,
    processing_ids: application.scope === 'org' ? null : JSON.stringify(processingIds),
    status: 'pending',
    redirect_uri: application.target,
    code_hash: work.vault.hash(code, OAUTH_PURPOSE),
    code_expires_at: datetimeOf(work.realMilliseconds + CODE_SECONDS * 1000),
    code_challenge: application.challenge ?? null,
  })
  return code
}

/** A code that an application exchanges, and the application's proof of identity. */
export interface Exchange {
  /** The organization of the application's key. */
  readonly clientId: string
  readonly code: string
  readonly redirectUri?: string | undefined
  /** The `code_verifier` of PKCE. */
  readonly verifier?: string | undefined
}

/**
 * Exchanges a code for tokens. A code works once, for the application, address and PKCE verifier that it was made
 * for. A second use revokes the tokens of the first. Spec: "OAuth", Step 2; RFC 6749, section 4.1.3; RFC 7636.
 */
export async function exchangeCode(
  work: Work,
  { clientId, code, redirectUri, verifier }: Exchange,
  random: Random,
): Promise<OauthTokens | OauthRefusal> {
  const [found] = await work.tx.run(grantByCode, { hash: work.vault.hash(code, OAUTH_PURPOSE) })
  const grant = found && (await work.lock(resources.oauth_grant, found.id))
  if (!grant || grant.client_id !== clientId) return unusableCode
  await expectSealed(work, 'admin_oauth_grants', grant)
  if (grant.status !== 'pending') {
    await revokeGrant(work, grant.id)
    return unusableCode
  }
  if (grant.code_expires_at === null || grant.code_expires_at <= work.realNow) return unusableCode
  if (redirectUri !== undefined && redirectUri !== grant.redirect_uri)
    return oauthRefusal('invalid_grant', 'The code was sent to another address', {
      redirect_uri: 'Must be the address that the code was sent to',
    })
  if (!proves(grant.code_challenge, verifier))
    return oauthRefusal('invalid_grant', 'The code verifier is not that of the code', {
      code_verifier: 'Must be what the challenge was made of',
    })
  await work.change(resources.oauth_grant, grant.id, { status: 'active' })
  return await issueTokens(work, grant, random)
}

/** Refusal of a code that is unknown, used or expired. */
export const unusableCode = oauthRefusal('invalid_grant', 'The code is unknown, used or expired', {
  code: 'Must be a code of this application that was not used or expired',
})

/** Whether a PKCE verifier matches the challenge. True if both are missing, false if only one of them is. */
function proves(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined
  return createHash('sha256').update(verifier).digest('base64url') === challenge
}

const grantByCode = prepared<{ hash: string }, Pick<OauthGrantRow, 'id'>>((db, param) =>
  db.selectFrom('admin_oauth_grants').select('id').where('code_hash', '=', param('hash')),
)
