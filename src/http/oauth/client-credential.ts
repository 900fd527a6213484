import { type OauthRefusal, oauthRefusal } from '../../domain/access/grants/oauth-refusal.js'
import { isTree } from '../../schema/types.js'

/** Credential by which an application authenticates itself. */
export interface ClientCredential {
  readonly kind: 'credential'
  /** The client's secret key; undefined when it sent none. */
  readonly key: string | undefined
  /** The organization that the client claims to be. */
  readonly clientId: string | undefined
}

/**
 * Reads a client's credential, which has three forms. First: the secret key is the Basic user name, and the password is
 * empty. Second: `client_id` and key are the Basic user name and password (RFC 6749, section 2.3.1). Third: id and key
 * are the form fields `client_id` and `client_secret`. A value that is sent in two of these forms must be the same in
 * both.
 */
export function clientCredentialOf(
  authorization: string | undefined,
  fields: ReadonlyMap<string, string>,
): ClientCredential | OauthRefusal {
  const header = authorization === undefined ? {} : readHeader(authorization)
  if (!header) return oauthRefusal('invalid_client', 'The Authorization header is not understood')
  const key = agreed(header.key, fields.get('client_secret'))
  const clientId = agreed(header.clientId, fields.get('client_id'))
  if (key === null) return oauthRefusal('invalid_client', 'client_secret differs from the key in the header')
  if (clientId === null) return oauthRefusal('invalid_client', 'client_id differs from the one in the header')
  return { kind: 'credential', key, clientId }
}

/** The value that was sent; undefined when none was, null when two differ. */
function agreed(one: string | undefined, other: string | undefined): string | undefined | null {
  return one !== undefined && other !== undefined && one !== other ? null : (one ?? other)
}

function readHeader(authorization: string): { key?: string; clientId?: string } | undefined {
  const [, scheme = '', value = ''] = /^(\S+) +(\S+)\s*$/.exec(authorization) ?? []
  if (scheme.toLowerCase() === 'bearer') return { key: value }
  if (scheme.toLowerCase() !== 'basic') return undefined
  const [user = '', ...rest] = Buffer.from(value, 'base64').toString('utf8').split(':')
  const password = rest.join(':')
  if (user === '') return undefined
  return password === '' ? { key: user } : { key: password, clientId: user }
}

/** The fields of a request to a token endpoint; those that are not strings count as missing. */
export function fieldsOf(body: unknown): ReadonlyMap<string, string> {
  const entries = isTree(body) ? Object.entries(body) : []
  return new Map(
    entries.flatMap(([name, value]) =>
      typeof value === 'string' && value !== '' ? [[name, value] as const] : [],
    ),
  )
}
