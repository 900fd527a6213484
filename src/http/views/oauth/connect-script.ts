/**
 * `/connect.js`, for a page of a third party; plain JavaScript, as its browser runs it. `Payctl(clientKey)`, then
 * `Payctl.Connect({…})`. What the pop-up says counts only when it comes from there, from this service, with the state
 * that it was given. Spec: "OAuth", Step 1.
 */
export const connectScript = `/*! payctl Connect: asks a user for access to their processing accounts. */
(() => {
  'use strict'
  const page = new URL('oauth/authorize', document.currentScript.src)
  let clientKey

  class Flow {
    #heard = []
    on(event, listener) {
      this.#heard.push([event, listener])
      return this
    }
    tell(event, payload) {
      for (const [name, listener] of this.#heard) if (name === event) listener({ type: event, ...payload })
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
    const given = isRedirect ? { redirect_uri, state } : { origin: location.origin, state: chance() }
    const asked = { client_key: clientKey, org_id, scope, auth_only: auth_only ? 'true' : undefined, ...given }
    for (const [name, value] of Object.entries(asked))
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
      // The page listens once it has the flow.
      queueMicrotask(() => flow.tell('error', { error: 'popup_blocked' }))
      return
    }
    const hear = ({ origin, source, data }) => {
      if (origin !== page.origin || source !== popUp || data?.source !== 'payctl' || data.state !== state) return
      end()
      if (data.code) flow.tell('connected', { code: data.code })
      else flow.tell('denied', { error: data.error, error_description: data.error_description })
    }
    const look = setInterval(() => {
      if (!popUp.closed) return
      clearInterval(look)
      // What it said last may still be on its way.
      setTimeout(() => {
        if (!isOver) flow.tell('closed', {})
        end()
      }, 500)
    }, 500)
    let isOver = false
    const end = () => {
      isOver = true
      clearInterval(look)
      removeEventListener('message', hear)
    }
    addEventListener('message', hear)
  }

  function chance() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  }

  window.Payctl = Payctl
})()
`
