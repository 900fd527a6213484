import { mayBeId } from '../../../engine/core/request/route.js'
import type { Work } from '../../../engine/core/write/work.js'
import { resources } from '../../../resources/resource-table.js'
import { isRegistered } from '../../../schema/web-address.js'
import { isAlive } from '../keys/lifetime.js'
import { orgOfKey } from '../keys/own-org.js'
import { expectSealed } from '../seals/not-as-sealed.js'
import { type OauthRefusal, oauthRefusal } from './oauth-refusal.js'

/** Parameters of the page's address: the access that an application requests. Spec: "OAuth", Connect parameters. */
export interface AccessRequest {
  readonly client_key?: string | undefined
  readonly org_id?: string | undefined
  readonly scope?: string | undefined
  /** Address that the code is sent to; omitted with a pop-up. */
  readonly redirect_uri?: string | undefined
  /** The origin of the page that opened the pop-up. */
  readonly origin?: string | undefined
  readonly code_challenge?: string | undefined
  readonly code_challenge_method?: string | undefined
}

/** An application that requests access, with a valid key and address. */
export interface Application {
  readonly kind: 'application'
  readonly orgId: string
  readonly name: string
  /** Its redirect address, or the origin of its page. */
  readonly target: string
  readonly isPopUp: boolean
  readonly scope: 'org' | 'processing'
  readonly challenge: string | undefined
}

/** A refusal with the redirect address that receives it. Without an address only the page shows the refusal. */
export interface AccessRefusal extends OauthRefusal {
  readonly target?: string
}

/**
 * Checks the application that requests access before anything is sent to its address. It needs a valid client key
 * that a key of its organization made. The address must be one that this organization has registered.
 */
export async function applicationOf(
  work: Work,
  request: AccessRequest,
): Promise<Application | AccessRefusal> {
  const { org_id: orgId = '', redirect_uri: redirectUri, origin, scope } = request
  const problem = await clientProblem(work, request.client_key ?? '', orgId)
  if (problem) return oauthRefusal('invalid_client', problem)
  const org = mayBeId(orgId) ? await work.find(resources.org, orgId) : undefined
  if (!org) return oauthRefusal('invalid_client', 'There is no organization org_id')
  await expectSealed(work, 'orgs', org)
  const target = redirectUri ?? origin
  if (target === undefined) return oauthRefusal('invalid_request', 'redirect_uri or origin is missing')
  const kind = redirectUri === undefined ? 'origin' : 'redirect'
  const redirects = await work.findBy(resources.oauth_redirect, 'org_id', orgId)
  const registered = redirects.find((each) => each.kind === kind && isRegistered(each.uri ?? '', target))
  if (!registered)
    return oauthRefusal('invalid_request', `The application has not registered the ${NAMES[kind]} ${target}`)
  await expectSealed(work, 'admin_oauth_redirects', registered)
  const redirect = kind === 'redirect' ? { target } : {}
  if (scope !== 'org' && scope !== 'processing')
    return { ...oauthRefusal('invalid_scope', 'scope must be org or processing'), ...redirect }
  const { code_challenge: challenge, code_challenge_method: method } = request
  const isChallenge = challenge === undefined || (method === 'S256' && /^[\w-]{43}$/.test(challenge))
  if (!isChallenge)
    return {
      ...oauthRefusal('invalid_request', 'code_challenge must be made with the method S256'),
      ...redirect,
    }
  const { name } = org
  return {
    kind: 'application',
    orgId,
    name: name ?? orgId,
    target,
    isPopUp: kind === 'origin',
    scope,
    challenge,
  }
}

const NAMES = { redirect: 'redirect address', origin: 'origin' } as const

/**
 * Reason why a client key cannot begin the OAuth flow for an organization; undefined if it can. A key made by a
 * secret key can do so for the organization of that secret key. A key made by an operator can do so for any
 * organization.
 */
async function clientProblem(work: Work, clientKey: string, orgId: string): Promise<string | undefined> {
  const unknown = 'The client key is unknown, deleted or expired'
  const token = await work.find(resources.access_token, clientKey)
  if (!token || !isAlive(token, work.realNow)) return unknown
  await expectSealed(work, 'access_tokens', token)
  if (token.key_id === null) return undefined
  const operator = await work.find(resources.operator, token.key_id)
  if (operator) return operator.status === 'active' ? undefined : unknown
  const maker = await work.find(resources.api_key, token.key_id)
  if (!maker || !isAlive(maker, work.realNow)) return unknown
  return (await orgOfKey(work, maker.id)) === orgId
    ? undefined
    : 'The client key belongs to another organization than org_id'
}
