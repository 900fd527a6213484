import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.js'
import type { Holder } from '../../domain/access/authenticate.js'
import { ACCESS_SECONDS, type OauthTokens } from '../../domain/access/grants/grant-tokens.js'
import { type OauthRefusal, oauthRefusal } from '../../domain/access/grants/oauth-refusal.js'
import { formOf } from '../../domain/access/keys/secret.js'
import { type ApiError, errorBody } from '../../engine/core/request/api-error.js'
import type { Environment } from '../../engine/store/database/store.js'
import type { ErrorType } from '../../schema/error-types.js'
import { CHALLENGE, expectOpen, refuseInMaintenance } from '../api/authentication.js'
import { refuseFromPages } from '../api/cross-origin.js'
import { parseBody } from '../api/request-body.js'
import { apiErrorOf } from '../api/send-answer.js'
import { type ClientCredential, clientCredentialOf, fieldsOf } from './client-credential.js'
import type { OauthDependencies } from './visit.js'

type Fields = ReadonlyMap<string, string>

/** Serves `/oauth/token` and `/oauth/revoke`. Spec: "OAuth", Steps 2 and 3; RFC 6749, sections 4.1.3, 5 and 6; RFC 7009. */
export function serveTokens(server: FastifyInstance, dependencies: OauthDependencies): void {
  const answering =
    (answer: (request: FastifyRequest, fields: Fields) => Promise<object | OauthRefusal>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      try {
        const answered = await answer(request, await readFields(request, dependencies))
        if (!isRefusal(answered)) return sendJson(reply, 200, answered)
        if (answered.error === 'invalid_client') dependencies.rates.countUnknown(request, reply)
        return sendRefusal(reply, answered)
      } catch (error) {
        const refusal = apiErrorOf(error)
        // Unexpected errors are left to the server, which logs them.
        if (refusal.status === 500) throw error
        return sendError(reply, refusal)
      }
    }
  server.post(
    '/oauth/token',
    answering(async ({ headers: { authorization } }, fields) => {
      switch (fields.get('grant_type')) {
        case 'authorization_code':
          return shown(await exchange(dependencies, authorization, fields))
        case 'refresh_token':
          return shown(await refresh(dependencies, authorization, fields))
        case undefined:
          return missing('grant_type')
        default:
          return oauthRefusal(
            'unsupported_grant_type',
            'grant_type must be authorization_code or refresh_token',
            {
              grant_type: 'Must be one of: authorization_code, refresh_token',
            },
          )
      }
    }),
  )
  server.post(
    '/oauth/revoke',
    answering(
      async ({ headers: { authorization } }, fields) => await revoke(dependencies, authorization, fields),
    ),
  )
}

async function readFields(request: FastifyRequest, { limits }: OauthDependencies): Promise<Fields> {
  const { body, headers } = request
  const sent = body instanceof Buffer ? await parseBody(headers['content-type'], body, limits) : undefined
  const fields = fieldsOf(sent)
  if (headers.authorization !== undefined || fields.has('client_secret'))
    refuseFromPages(request, { kind: 'key' })
  return fields
}

async function exchange(
  { app }: OauthDependencies,
  authorization: string | undefined,
  fields: Fields,
): Promise<OauthTokens | OauthRefusal> {
  const client = clientCredentialOf(authorization, fields)
  if (client.kind === 'refused') return client
  const { key, clientId } = client
  const holder = key === undefined ? undefined : await app.authenticate(key)
  if (holder?.principal.kind !== 'key') return UNKNOWN_CLIENT
  refuseInMaintenance(holder)
  const code = fields.get('code')
  if (code === undefined) return missing('code')
  if (clientId === undefined) return missing('client_id')
  const oauth = await (await app.environment(holder.environment)).oauth()
  return await oauth.exchange(holder.principal.id, {
    clientId,
    code,
    redirectUri: fields.get('redirect_uri'),
    verifier: fields.get('code_verifier'),
  })
}

/**
 * Exchanges a refresh token for new tokens. No credential is needed; a client that sends one must be the client for
 * which the token was made.
 */
async function refresh(
  { app }: OauthDependencies,
  authorization: string | undefined,
  fields: Fields,
): Promise<OauthTokens | OauthRefusal> {
  const token = fields.get('refresh_token')
  if (token === undefined) return missing('refresh_token')
  const client = clientCredentialOf(authorization, fields)
  if (client.kind === 'refused') return client
  const form = formOf(token)
  if (form?.kind !== 'refresh')
    return oauthRefusal('invalid_grant', 'The refresh token is not understood', {
      refresh_token: 'Must be a refresh token',
    })
  const holder = await holderOf(app, client, form.environment)
  if (holder === 'unknown') return UNKNOWN_CLIENT
  const oauth = await expectOpen(await (await app.environment(form.environment)).oauth())
  return await oauth.refresh(token, { keyId: holder?.principal.id, clientId: client.clientId })
}

/** The holder of the key that a client sent; undefined when it sent none, which is allowed. */
async function holderOf(
  app: App,
  { key }: ClientCredential,
  environment: Environment,
): Promise<Holder | undefined | 'unknown'> {
  if (key === undefined) return undefined
  const holder = await app.authenticate(key)
  return holder?.principal.kind === 'key' && holder.environment === environment ? holder : 'unknown'
}

/**
 * Revokes a token. No credential is needed; a client that sends one must be the client for which the token was made. An
 * unknown token is not an error, as it gives no access. RFC 7009.
 */
async function revoke(
  { app }: OauthDependencies,
  authorization: string | undefined,
  fields: Fields,
): Promise<object | OauthRefusal> {
  const token = fields.get('token')
  if (token === undefined) return missing('token')
  const client = clientCredentialOf(authorization, fields)
  if (client.kind === 'refused') return client
  const form = formOf(token)
  if (form?.kind !== 'access' && form?.kind !== 'refresh') return {}
  const holder = await holderOf(app, client, form.environment)
  if (holder === 'unknown') return UNKNOWN_CLIENT
  const oauth = await expectOpen(await (await app.environment(form.environment)).oauth())
  return (await oauth.revoke(token, { keyId: holder?.principal.id, clientId: client.clientId })) ?? {}
}

const UNKNOWN_CLIENT = oauthRefusal(
  'invalid_client',
  'The key is unknown, revoked, expired or not a secret key',
)

function missing(name: string): OauthRefusal {
  return oauthRefusal('invalid_request', `${name} is missing`, { [name]: 'Required' })
}

/** The body of a successful answer. RFC 6749, section 5.1. */
function shown(answer: OauthTokens | OauthRefusal): object | OauthRefusal {
  if (answer.kind === 'refused') return answer
  const { access, refresh, scope } = answer
  return {
    object: 'oauth_token',
    access_token: access,
    token_type: 'bearer',
    expires_in: ACCESS_SECONDS,
    refresh_token: refresh,
    scope,
  }
}

function isRefusal(answer: object | OauthRefusal): answer is OauthRefusal {
  return 'kind' in answer && answer.kind === 'refused'
}

/** Answers an error with the fields of RFC 6749, section 5.2, and those of every error of the API. */
function sendRefusal(reply: FastifyReply, { error, description, details }: OauthRefusal): FastifyReply {
  const isClient = error === 'invalid_client'
  if (isClient) reply.header('www-authenticate', CHALLENGE)
  const body = { object: 'error', error_type: typeOf(error), error, error_description: description, details }
  return sendJson(reply, isClient ? 401 : 400, body)
}

function typeOf(error: OauthRefusal['error']): ErrorType {
  if (error === 'invalid_client') return 'Unauthorized'
  return error === 'invalid_request' || error === 'invalid_grant' ? 'InvalidAttributes' : 'BadRequest'
}

function sendError(reply: FastifyReply, error: ApiError): FastifyReply {
  const code = error.status < 500 ? 'invalid_request' : 'temporarily_unavailable'
  return sendJson(reply.headers(error.headers), error.status, { ...errorBody(error), error: code })
}

function sendJson(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .send(JSON.stringify(body))
}
