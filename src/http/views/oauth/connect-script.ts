/**
 * `/connect.js`, which pages of third parties load; plain JavaScript. It defines `Payctl(clientKey)`, then
 * `Payctl.Connect({…})`. A message counts only if it comes from the pop-up, from this service, with the state that
 * the pop-up was opened with. Spec: "OAuth", Step 1.
 */
export const connectScript = `/*! payctl Connect: asks a user for access to their processing accounts. */
(() => {
  'use strict'
  const page = new URL('oauth/authorize', document.currentScript.src)
  let clientKey

  class Flow {
    #listeners = []
    on(event, listener) {
      this.#listeners.push([event, listener])
      return this
    }
    emit(event, payload) {
      for (const [name, listener] of this.#listeners) if (name === event) listener({ type: event, ...payload })
    }
  }

  function Payctl(key) {
    if (typeof key !== 'string' || key === '') throw new TypeError('Payctl(clientKey): a client key is required')
    clientKey = key
    return Payctl
  }

  Payctl.Connect = function Connect({ org_id, scope, type, redirect_uri, auth_only, state } = {}) {
    if (!clientKey) throw new TypeError('Call Payctl(clientKey) first')
    if (!org_id) throw new TypeError('Connect: org_id is required')
    if (scope !== 'org' && scope !== 'processing') throw new TypeError('Connect: scope must be org or processing')
    const isRedirect = type === 'redirect'
    if (isRedirect && !redirect_uri) throw new TypeError('Connect: redirect_uri is required')
    const address = new URL(page)
    const given = isRedirect ? { redirect_uri, state } : { origin: location.origin, state: randomState() }
    const parameters = { client_key: clientKey, org_id, scope, auth_only: auth_only ? 'true' : undefined, ...given }
    for (const [name, value] of Object.entries(parameters))
      if (value !== undefined && value !== null) address.searchParams.set(name, value)
    const flow = new Flow()
    if (isRedirect) location.assign(address)
    else openPopUp(flow, address, given.state)
    return flow
  }

  function openPopUp(flow, address, state) {
    const left = window.screenX + Math.max(0, (window.outerWidth - 520) / 2)
    const popUp = window.open(address, '_blank', \`popup,width=520,height=720,left=\${left}\`)
    if (!popUp) {
      // The page can add its listeners only once it has the flow.
      queueMicrotask(() => flow.emit('error', { error: 'popup_blocked' }))
      return
    }
    const receive = ({ origin, source, data }) => {
      if (origin !== page.origin || source !== popUp || data?.source !== 'payctl' || data.state !== state) return
      end()
      if (data.code) flow.emit('connected', { code: data.code })
      else flow.emit('denied', { error: data.error, error_description: data.error_description })
    }
    const poll = setInterval(() => {
      if (!popUp.closed) return
      clearInterval(poll)
      // Its last message may still be on the way.
      setTimeout(() => {
        if (!isOver) flow.emit('closed', {})
        end()
      }, 500)
    }, 500)
    let isOver = false
    const end = () => {
      isOver = true
      clearInterval(poll)
      removeEventListener('message', receive)
    }
    addEventListener('message', receive)
  }

  function randomState() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  }

  window.Payctl = Payctl
})()
`
