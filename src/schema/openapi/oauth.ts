import { closed, type ReadonlyJsonObject, type Schema } from '../json-schema.js'
import { responseHeadersOf } from './headers.js'

/** Tag of the paths at which applications get access. */
export const OAUTH = 'OAuth'

const text = (description: string): Schema => ({ type: 'string', description })

const CLIENT = {
  client_id: text('the id of the organization'),
  client_secret: text('the secret key, unless it is sent as Basic credentials'),
}

const EXCHANGE = closed(
  {
    grant_type: { const: 'authorization_code' },
    code: text('the code from the Connect flow'),
    ...CLIENT,
    redirect_uri: text('the redirect address of the authorization request, if it had one'),
    code_verifier: text('the PKCE verifier, if the authorization request had a challenge'),
  },
  ['grant_type', 'code', 'client_id'],
)

const REFRESH = closed(
  {
    grant_type: { const: 'refresh_token' },
    refresh_token: text('the refresh token of the last answer'),
    ...CLIENT,
  },
  ['grant_type', 'refresh_token'],
)

const TOKENS = closed(
  {
    object: { const: 'oauth_token' },
    access_token: text('a Bearer credential'),
    token_type: { const: 'bearer' },
    expires_in: { type: 'integer', description: 'seconds until the access token ends' },
    refresh_token: text('exchanged once for the next pair of tokens'),
    scope: text('the granted scope'),
  },
  ['object', 'access_token', 'token_type', 'expires_in', 'refresh_token', 'scope'],
)

/** Paths of OAuth. Spec: "OAuth 2.0 access to processing accounts", steps 2 and 3; RFC 6749 and 7009. */
export const OAUTH_PATHS: ReadonlyJsonObject = {
  '/oauth/token': post(
    'exchange_token',
    'exchange a code, or refresh a token',
    { anyOf: [EXCHANGE, REFRESH] },
    TOKENS,
  ),
  '/oauth/revoke': post(
    'revoke_token',
    'revoke an access',
    closed({ token: text('an access or refresh token'), token_type_hint: text('of RFC 7009'), ...CLIENT }, [
      'token',
    ]),
    closed({}, []),
  ),
}

function post(operationId: string, summary: string, body: Schema, answer: Schema): ReadonlyJsonObject {
  const content = (schema: Schema) => ({ 'application/json': { schema } })
  return {
    post: {
      operationId,
      summary,
      tags: [OAUTH],
      security: [{ basic: [] }, {}],
      requestBody: {
        required: true,
        content: { 'application/x-www-form-urlencoded': { schema: body }, ...content(body) },
      },
      responses: {
        '200': { description: summary, headers: responseHeadersOf(), content: content(answer) },
        '400': {
          description: 'an error as in RFC 6749, with the fields of every error of the interface',
          headers: responseHeadersOf(),
          content: content({ type: 'object', required: ['error', 'error_type', 'error_description'] }),
        },
      },
    },
  }
}
