import type { Core, SystemWrite } from '../../engine/core/core.js'
import type { Work } from '../../engine/core/write/work.js'
import { maintenanceMessage } from '../../engine/store/database/maintenance-message.js'
import type { OauthUserRow } from '../../engine/store/database/tables.js'
import type { Random } from '../../platform/random.js'
import { resources } from '../../resources/resource-table.js'
import type { Input } from '../../schema/types.js'
import {
  type AccessRefusal,
  type AccessRequest,
  type Application,
  applicationOf,
} from './grants/application.js'
import { type Exchange, exchangeCode, grantAccess, unusableCode } from './grants/code.js'
import { accountsOf, type ShownAccount } from './grants/grant-rule.js'
import { type OauthTokens, refreshTokens, revokeToken, unusableToken } from './grants/grant-tokens.js'
import { type OauthRefusal, oauthRefusal } from './grants/oauth-refusal.js'
import { orgOfKey } from './keys/own-org.js'
import { RefusalReports } from './seals/not-as-sealed.js'
import { knownBrowserOf } from './sign-in/known-browser.js'
import { type SignInAttempt, signInBy } from './sign-in/sign-in.js'
import { newUserOf, signUp } from './users/sign-up.js'
import { sessionOf, USERS, userOf } from './users/user-sign-in.js'

/** A signed-in user, and the organization and accounts to which they can grant access. */
export interface SignedIn {
  readonly userId: string
  readonly email: string
  readonly orgId: string
  readonly orgName: string
  readonly accounts: readonly ShownAccount[]
}

/** OAuth of one environment (the authorization server of RFC 6749), without its pages. */
export interface AuthorizationServer {
  /** The message to clients while the environment is in maintenance; null when it is not. */
  maintenance(): Promise<string | null>
  /** Checks the application that requests access. Returns a refusal if any part of the request is wrong. */
  application(request: AccessRequest): Promise<Application | AccessRefusal>
  /**
   * Signs a user in. Undefined if e-mail address and password do not match, or after too many wrong passwords from
   * one address or browser.
   */
  signIn(attempt: SignInAttempt): Promise<SignIn | undefined>
  /** Signs in a new user, with a new organization and processing account. Throws `InvalidAttributes`. */
  signUp(input: Input): Promise<SignIn>
  signedIn(session: string): Promise<SignedIn | undefined>
  /**
   * Grants an application access to accounts of the signed-in user. Returns the code that the application exchanges
   * for tokens.
   */
  grant(application: Application, who: SignedIn, processingIds: readonly string[]): Promise<string>
  /**
   * Exchanges a code for tokens. `keyId` is the secret key that authenticated the application; it must belong to the
   * organization `clientId`.
   */
  exchange(keyId: string, exchange: Exchange): Promise<OauthTokens | OauthRefusal>
  refresh(token: string, client: ClientNames): Promise<OauthTokens | OauthRefusal>
  /** Revokes the grant of a token. Returns a refusal if the token belongs to another application. */
  revoke(token: string, client: ClientNames): Promise<OauthRefusal | undefined>
}

/** Identity that an application may claim: a valid secret key, the id of its organization, both or neither. */
export interface ClientNames {
  readonly keyId?: string | undefined
  readonly clientId?: string | undefined
}

/** Cookies for the browser of a user who signed in. */
export interface SignIn {
  readonly session: string
  /** Cookie that recognizes the browser at later sign-ins; see `knownBrowserOf`. */
  readonly knownBrowser: string
}

interface AuthorizationServerDependencies {
  readonly core: Core
  readonly random: Random
  /** Receives the reason when a row is refused because it does not match its seal. */
  readonly report: (error: unknown) => void
}

export function authorizationServer({
  core,
  random,
  report,
}: AuthorizationServerDependencies): AuthorizationServer {
  const refusals = new RefusalReports(report)
  return {
    maintenance: async () =>
      await core.read(async ({ tx }) => {
        const row = await tx.db.selectNoFrom(maintenanceMessage).executeTakeFirstOrThrow()
        return row.maintenance_message
      }),
    application: async (request) =>
      await refusals.answer(
        () => core.read((work) => applicationOf(work, request)),
        oauthRefusal('invalid_client', 'The application is unknown'),
      ),
    signIn: async (attempt) =>
      await refusals.answer(
        () => signInBy(core, USERS, attempt, async (work, user) => signInOf(work, user)),
        undefined,
      ),
    async signUp(input) {
      const user = await newUserOf(input, random)
      return await core.write(async (work) => signInOf(work, await signUp(work, user)), ON_PAGES)
    },
    signedIn: async (session) =>
      await refusals.answer(
        () =>
          core.read(async (work) => {
            const user = await userOf(work, session)
            return user && (await shown(work, user))
          }),
        undefined,
      ),
    grant: async (application, { userId, orgId, accounts }, ticked) =>
      await core.write(async (work) => {
        const processingIds = accounts.map(({ id }) => id).filter((id) => ticked.includes(id))
        return await grantAccess(work, { application, userId, orgId, processingIds }, random)
      }, ON_PAGES),
    exchange: async (keyId, exchange) =>
      await refusals.answer(
        () =>
          core.write(async (work) => {
            if ((await orgOfKey(work, keyId)) === exchange.clientId)
              return await exchangeCode(work, exchange, random)
            return oauthRefusal('invalid_client', 'The key is not of the organization client_id', {
              client_id: "Must be the key's organization",
            })
          }, OVER_HTTP),
        unusableCode,
      ),
    refresh: async (token, client) =>
      await refusals.answer(
        () =>
          core.write(
            async (work) =>
              refreshTokens(work, { token, clientIds: await clientIdsOf(work, client) }, random),
            OVER_HTTP,
          ),
        unusableToken,
      ),
    revoke: async (token, client) =>
      await refusals.answer(
        () =>
          core.write(async (work) => revokeToken(work, token, await clientIdsOf(work, client)), OVER_HTTP),
        oauthRefusal('invalid_client', 'The application is unknown'),
      ),
  }
}

/** Origin noted in the activity log: `page` for a user of a page, `http` for an application. */
const ON_PAGES: SystemWrite = { through: 'page', job: 'oauth' }
const OVER_HTTP: SystemWrite = { through: 'http', job: 'oauth' }

function signInOf(work: Work, user: OauthUserRow): SignIn {
  return { session: sessionOf(work, user), knownBrowser: knownBrowserOf(work, user) }
}

/** The organizations that an application claims to belong to. */
async function clientIdsOf(work: Work, { keyId, clientId }: ClientNames): Promise<readonly string[]> {
  const ofKey = keyId === undefined ? [] : [(await orgOfKey(work, keyId)) ?? '']
  return clientId === undefined ? ofKey : [...ofKey, clientId]
}

async function shown(
  work: Work,
  { id: userId, email, org_id: orgId }: OauthUserRow,
): Promise<SignedIn | undefined> {
  const org = orgId === null ? undefined : await work.find(resources.org, orgId)
  if (!org) return undefined
  const accounts = await work.tx.run(accountsOf, { orgId: org.id })
  return { userId, email: email ?? '', orgId: org.id, orgName: org.name ?? org.id, accounts }
}
