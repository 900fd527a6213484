/** Address of the frames if they have an origin of their own; the service fills it in. */
declare const FIELDS_URL: string | null

/** Address of the service that this script came from, with a slash at its end. */
const SCRIPT_URL = addressOf(document.currentScript)

function addressOf(script: HTMLOrSVGScriptElement | null): string | undefined {
  return script instanceof HTMLScriptElement && script.src ? new URL('.', script.src).href : undefined
}

/** Client key of the components that are made from now on. */
let clientKey: string | undefined

/** The global function of the components, which has them as its properties. */
export function Payload(key: unknown): typeof Payload {
  if (typeof key !== 'string' || key === '')
    throw new TypeError('Payload(clientKey): a client key is required')
  clientKey = key
  return Payload
}

Payload.api_url = SCRIPT_URL

/** The client key. Throws before `Payload(clientKey)` was called. */
export function requiredKey(): string {
  if (!clientKey) throw new TypeError('Call Payload(clientKey) first')
  return clientKey
}

/** An address of the service; a page may have set another service as `api_url`. */
export function serviceUrl(path: string): URL {
  if (!Payload.api_url) throw new TypeError('Set Payload.api_url: a module does not know where it came from')
  return new URL(path, String(Payload.api_url).replace(/\/*$/, '/'))
}

/** An address of the frames, which may have an origin of their own. */
export function fieldsUrl(path: string): URL {
  return FIELDS_URL && serviceUrl('').href === SCRIPT_URL ? new URL(path, FIELDS_URL) : serviceUrl(path)
}
