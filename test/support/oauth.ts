import { createHash } from 'node:crypto'
import { owner } from '../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../src/schema/json.js'
import { idOf, objectOf } from './core.js'
import type { HttpService } from './http.js'

export const PASSWORD = 'correct horse battery'
export const REDIRECT = 'http://127.0.0.1/done'
export const ORIGIN = 'http://127.0.0.1'

/** A service with the application of one organization, and another organization whose user has two accounts. */
export interface OauthWorld {
  readonly service: HttpService
  /** The application's organization, secret key and client key. */
  readonly clientId: string
  readonly key: string
  readonly clientKey: string
  /** The organization that grants access, its accounts and its user. */
  readonly orgId: string
  readonly accounts: readonly [first: string, second: string]
  readonly email: string
  /** A processing account without an organization. */
  readonly foreign: string
}

/** Creates the organizations, accounts, keys and users as the operator. */
export async function oauthWorld(service: HttpService): Promise<OauthWorld> {
  const { core } = await service.app.environment('test')
  const make = async (path: string, body: JsonObject): Promise<JsonObject> => {
    const made = await core.handle({ method: 'POST', path, body, principal: owner })
    if (made.status !== 200) throw new Error(`${path}: ${JSON.stringify(made.body)}`)
    return made.body
  }
  const account = async (name: string, org: JsonObject) =>
    idOf(await make('/processing_accounts', { name, processing: { industry: 'books' }, ...org }))
  const org = async (name: string) =>
    idOf(await make('/orgs', { name, industry: 'books', org_type: 'business' }))
  const clientId = await org('Ledgerly')
  const orgId = await org('Corner Books')
  const email = 'grace@example.com'
  await make('/admin/oauth_redirects', { org_id: clientId, uri: REDIRECT })
  await make('/admin/oauth_redirects', { org_id: clientId, uri: ORIGIN, kind: 'origin' })
  await make('/admin/oauth_users', { org_id: orgId, email, name: 'Grace', password: PASSWORD })
  const first = await account('Main Street', { parent_org_id: orgId })
  const second = await account('Harbour', { parent_org_id: orgId })
  return {
    service,
    clientId,
    key: await service.key({ description: 'application' }),
    clientKey: idOf(await make('/access_tokens', { type: 'client' })),
    orgId,
    accounts: [first, second],
    email,
    foreign: await account('Somebody else', {}),
  }
}

/** Access that an application requests, and that the user grants without a browser. */
interface RequestedGrant {
  readonly scope?: 'org' | 'processing'
  readonly ticked?: readonly string[]
  readonly verifier?: string
}

/** Grants access as the user; returns the authorization code. */
export async function codeOf(
  { service, ...world }: OauthWorld,
  requested: RequestedGrant = {},
): Promise<string> {
  const { scope = 'org', ticked = [], verifier } = requested
  const oauth = await (await service.app.environment('test')).oauth()
  const application = await oauth.application({
    client_key: world.clientKey,
    org_id: world.clientId,
    scope,
    redirect_uri: REDIRECT,
    ...(verifier !== undefined && { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }),
  })
  const who = await signedIn(service, world.email)
  if (application.kind !== 'application' || !who)
    throw new Error(`Not granted: ${JSON.stringify(application)}`)
  return await oauth.grant(application, who, ticked)
}

/** Sessions to reuse, because checking a password takes as long as a hundred requests. */
const sessions = new WeakMap<HttpService['app'], string>()

/** Returns the session of the user; signs in if there is none. */
async function signedIn({ app }: HttpService, email: string) {
  const oauth = await (await app.environment('test')).oauth()
  const user = await oauth.signedIn(sessions.get(app) ?? '')
  if (user) return user
  const credentials = { email, password: PASSWORD, address: '192.0.2.1', knownBrowser: '' }
  const session = (await oauth.signIn(credentials))?.session ?? ''
  sessions.set(app, session)
  return await oauth.signedIn(session)
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

export interface TokenAnswer {
  readonly status: number
  readonly body: JsonObject
  readonly headers: Headers
}

/** Posts form fields to a token endpoint; with Basic credentials if a key is given. */
export async function postForm(
  address: string,
  path: string,
  fields: Readonly<Record<string, string>>,
  key?: string,
): Promise<TokenAnswer> {
  const headers: Record<string, string> =
    key === undefined ? {} : { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }
  const body = new URLSearchParams(fields)
  const response = await fetch(address + path, { method: 'POST', headers, body })
  return {
    status: response.status,
    body: objectOf(JSON.parse(await response.text())),
    headers: response.headers,
  }
}

/** Credentials of an application, and the address of the service. */
interface Client {
  readonly service: { readonly address: string }
  readonly clientId: string
  readonly key: string
}

/** Exchanges a code for tokens as in the specification: Basic credentials, and the same id and key as form fields. */
export async function exchange(
  { service, clientId, key }: Client,
  code: string,
  more: Readonly<Record<string, string>> = {},
): Promise<TokenAnswer> {
  const fields = { code, grant_type: 'authorization_code', client_id: clientId, client_secret: key, ...more }
  return await postForm(service.address, '/oauth/token', fields, key)
}

export async function refresh({ service }: Pick<Client, 'service'>, token: string): Promise<TokenAnswer> {
  return await postForm(service.address, '/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: token,
  })
}

/** Reads the tokens in an answer; throws if there are none. */
export function tokensOf({ status, body }: TokenAnswer): {
  readonly access: string
  readonly refresh: string
} {
  const { access_token: access, refresh_token: refresh } = body
  if (status !== 200 || typeof access !== 'string' || typeof refresh !== 'string')
    throw new Error(`No tokens: ${status} ${JSON.stringify(body)}`)
  return { access, refresh }
}
