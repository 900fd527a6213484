/**
 * `Payload.Connect`, by which a page asks a user for access to their processing accounts; plain JavaScript. A message
 * counts only if it comes from the window, from this service, with the state that the window was opened with. Spec:
 * "OAuth", Step 1.
 */
export const CONNECT_COMPONENT = `
Payload.Connect = function Connect({ org_id, scope, type, redirect_uri, auth_only, state } = {}) {
  const client_key = requiredKey()
  if (!org_id) throw new TypeError('Connect: org_id is required')
  if (scope !== 'org' && scope !== 'processing') throw new TypeError('Connect: scope must be org or processing')
  const isRedirect = type === 'redirect'
  if (isRedirect && !redirect_uri) throw new TypeError('Connect: redirect_uri is required')
  const address = serviceUrl('oauth/authorize')
  const given = isRedirect ? { redirect_uri, state } : { origin: location.origin, state: randomHex() }
  const parameters = { client_key, org_id, scope, auth_only: auth_only ? 'true' : undefined, ...given }
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== null) address.searchParams.set(name, value)
  const flow = new Component()
  if (isRedirect) location.assign(address)
  else connectApart(flow, address, given.state)
  return flow
}

function connectApart(flow, address, state) {
  const opened = openWindow(address)
  if (!opened) {
    // The page can add its listeners only after this function has returned the flow.
    queueMicrotask(() => flow.emit('error', { error: 'popup_blocked' }))
    return
  }
  const end = [
    receiveFrom(() => opened, address.origin, state, ({ code, error, error_description }) => {
      for (const each of end) each()
      if (code) flow.emit('connected', { code })
      else flow.emit('denied', { error, error_description })
    }),
    whenClosed(opened, () => {
      for (const each of end) each()
      flow.emit('closed', {})
    }),
  ]
}
`
