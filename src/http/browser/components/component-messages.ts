/** Messages between a page and windows of this service; plain JavaScript. */
export const COMPONENT_MESSAGES = `
/** Calls receive with each message of a window of the service that has the nonce. Returns a function that stops it. */
function receiveFrom(windowOf, origin, nonce, receive) {
  const listener = ({ origin: from, source, data }) => {
    if (from === origin && source !== null && source === windowOf() && data?.payctl === nonce) receive(data)
  }
  addEventListener('message', listener)
  return () => removeEventListener('message', listener)
}
`
