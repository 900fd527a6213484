import { createHash } from 'node:crypto'
import { openLoopback } from '../../../platform/network/loopback.js'
import { type Random, systemRandom } from '../../../platform/random.js'
import { Refusal } from '../failure/failure.js'

/** Path of the redirect address that must be registered: `http://127.0.0.1/callback`. */
const PATH = '/callback'
const BYTES = 32

/** Parameters of an authorization request. */
export interface CodeRequest {
  readonly server: string
  readonly parameters: Readonly<Record<string, string>>
  readonly random?: Random
  /** Shows the address that the user must visit. */
  readonly show: (address: string) => Promise<void>
}

/** A code, with the values needed to exchange it. */
export interface Received {
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string
}

/**
 * Lets the user grant access in a browser, and receives the code on a loopback address, with PKCE (RFC
 * 8252). Throws a `Refusal` if access was denied.
 */
export async function receiveCode({
  server,
  parameters,
  random = systemRandom,
  show,
}: CodeRequest): Promise<Received> {
  const verifier = randomText(random)
  const state = randomText(random)
  const loopback = await openLoopback('You can close this window and continue at the terminal.')
  try {
    const redirectUri = loopback.origin + PATH
    const query = new URLSearchParams({
      ...parameters,
      redirect_uri: redirectUri,
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const visited = loopback.visit(PATH, (values) => values.get('state') === state)
    await show(`${server}/oauth/authorize?${query}`)
    const values = await visited
    const code = values.get('code')
    if (code !== null) return { code, redirectUri, verifier }
    throw denied(values.get('error') ?? 'access_denied', values.get('error_description'))
  } finally {
    loopback.close()
  }
}

function denied(error: string, description: string | null): Refusal {
  const body = {
    object: 'error',
    error_type: 'Forbidden',
    error,
    error_description: description ?? 'Access was denied',
    details: {},
  }
  return new Refusal({ status: 403, body, headers: {} })
}

function randomText(random: Random): string {
  return Buffer.from(random.bytes(BYTES)).toString('base64url')
}
