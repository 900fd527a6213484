/** The global function of the components; plain JavaScript. It has the components as its properties. */
export const PAYLOAD_FUNCTION = String.raw`
/** Address of the service that this script came from, with a slash at its end. */
const SCRIPT_URL = document.currentScript?.src ? new URL('.', document.currentScript.src).href : undefined

/** Client key of the components that are made from now on. */
let clientKey

function Payload(key) {
  if (typeof key !== 'string' || key === '') throw new TypeError('Payload(clientKey): a client key is required')
  clientKey = key
  return Payload
}

Payload.api_url = SCRIPT_URL

/** The client key. Throws before Payload(clientKey) was called. */
function requiredKey() {
  if (!clientKey) throw new TypeError('Call Payload(clientKey) first')
  return clientKey
}

/** An address of the service; a page may have set another service as api_url. */
function serviceUrl(path) {
  if (!Payload.api_url) throw new TypeError('Set Payload.api_url: a module does not know where it came from')
  return new URL(path, String(Payload.api_url).replace(/\/*$/, '/'))
}

/** An address of the frames, which may have an origin of their own. */
function fieldsUrl(path) {
  return FIELDS_URL && serviceUrl('').href === SCRIPT_URL ? new URL(path, FIELDS_URL) : serviceUrl(path)
}

window.Payctl = Payload
window.Payload ??= Payload
`
