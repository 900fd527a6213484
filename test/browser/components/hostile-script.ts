/**
 * Script that a hostile page runs before any other. It listens to every event, and replaces functions that a
 * value might pass through. Text that it captures is in `window.stolen`.
 */
export const HOSTILE_SCRIPT = `
window.stolen = []
{
  const text = JSON.stringify
  const take = (...values) => {
    for (const value of values) {
      try {
        stolen[stolen.length] = typeof value === 'string' ? value : String(text(value))
      } catch {}
    }
  }
  const spyOn = (object, name) => {
    const original = object[name]
    object[name] = function (...given) {
      take(given)
      const result = Reflect.apply(original, this, given)
      take(result)
      return result
    }
  }
  spyOn(window, 'postMessage')
  spyOn(window, 'fetch')
  spyOn(XMLHttpRequest.prototype, 'send')
  spyOn(navigator, 'sendBeacon')
  spyOn(MessagePort.prototype, 'postMessage')
  spyOn(JSON, 'stringify')
  spyOn(JSON, 'parse')
  spyOn(String.prototype, 'trim')
  spyOn(String.prototype, 'replace')
  spyOn(Storage.prototype, 'setItem')
  for (const name of ['entries', 'assign', 'fromEntries']) spyOn(Object, name)
  for (const name of ['get', 'set']) spyOn(Map.prototype, name)
  for (const name of ['push', 'map', 'find', 'filter', 'flatMap']) spyOn(Array.prototype, name)
  spyOn(Promise.prototype, 'then')
  for (const name of ['card', 'card_number', 'expiry', 'card_code'])
    Object.defineProperty(Object.prototype, name, { set: (value) => take(value), get: () => undefined, configurable: true })
  const kinds = ['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'change', 'paste', 'copy', 'compositionupdate', 'message']
  for (const kind of kinds)
    addEventListener(kind, ({ key, data, target }) => take({ kind, key, data, value: target?.value }), true)
}
/** Tries to read each frame in every possible way; returns the results as JSON. */
window.readFrames = () => JSON.stringify(Array.from({ length: window.length }, (_, index) => [
  (frame) => frame.payctlField,
  (frame) => frame.document,
  (frame) => frame.location.href,
  (frame) => frame.eval,
  (frame) => frame.sessionStorage,
  () => document.querySelectorAll('iframe')[index].contentDocument?.body.outerHTML ?? 'null',
].map((read) => {
  try { return String(read(window[index])) } catch (error) { return error.name }
})))
`
