import { randomHex } from '../frames/random-hex.js'
import { Component } from './component.js'
import { openWindow, whenClosed } from './open-window.js'
import { requiredKey, serviceUrl } from './payload-function.js'
import { receiveFrom } from './receive-from.js'

interface ConnectOptions {
  readonly org_id?: unknown
  readonly scope?: unknown
  readonly type?: unknown
  readonly redirect_uri?: unknown
  readonly auth_only?: unknown
  readonly state?: unknown
}

/** The outcome of the flow, as its last page sends it. */
interface ConnectOutcome {
  readonly code?: string
  readonly error?: string
  readonly error_description?: string
}

/**
 * Asks a user for access to their processing accounts. A message counts only if it comes from the window, from this
 * service, with the state that the window was opened with. Spec: "OAuth", Step 1.
 */
export function Connect(options: ConnectOptions = {}): Component {
  const { org_id, scope, type, redirect_uri, auth_only, state } = options
  const client_key = requiredKey()
  if (!org_id) throw new TypeError('Connect: org_id is required')
  if (scope !== 'org' && scope !== 'processing')
    throw new TypeError('Connect: scope must be org or processing')
  const isRedirect = type === 'redirect'
  if (isRedirect && !redirect_uri) throw new TypeError('Connect: redirect_uri is required')
  const address = serviceUrl('oauth/authorize')
  const nonce = randomHex()
  const given = isRedirect ? { redirect_uri, state } : { origin: location.origin, state: nonce }
  const parameters = { client_key, org_id, scope, auth_only: auth_only ? 'true' : undefined, ...given }
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== null) address.searchParams.set(name, String(value))
  const flow = new Component()
  if (isRedirect) location.assign(address)
  else connectApart(flow, address, nonce)
  return flow
}

function connectApart(flow: Component, address: URL, state: string): void {
  const opened = openWindow(address)
  if (!opened) {
    // The page can add its listeners only after this function has returned the flow.
    queueMicrotask(() => flow.emit('error', { error: 'popup_blocked' }))
    return
  }
  const end: (() => void)[] = []
  const finish = () => {
    for (const each of end) each()
  }
  const receive = ({ code, error, error_description }: ConnectOutcome) => {
    finish()
    if (code) flow.emit('connected', { code })
    else flow.emit('denied', { error, error_description })
  }
  end.push(
    receiveFrom<ConnectOutcome>(() => opened, address.origin, state, receive),
    whenClosed(opened, () => {
      finish()
      flow.emit('closed', {})
    }),
  )
}
