import type { FrameMessage, Posted, ToController, ToField } from '../frames/frame-message.js'
import { type ComponentError, componentError } from './component-errors.js'
import { fieldsUrl } from './payload-function.js'
import { receiveFrom } from './receive-from.js'

/** A frame of the service; `ready` resolves once its script has started. */
export class ServiceFrame<Received extends FrameMessage, Sent extends ToField | ToController> {
  readonly element = document.createElement('iframe')
  readonly ready: Promise<void>
  readonly group: string
  #address: URL
  #stop: () => void = () => undefined

  constructor(
    name: string,
    { key, group }: { readonly key: string; readonly group: string },
    receive: (message: Posted<Received>) => void,
  ) {
    this.#address = fieldsUrl(`fields/${name}`)
    this.#address.search = new URLSearchParams({ key, group }).toString()
    this.group = group
    this.element.setAttribute('frameborder', '0')
    this.element.src = this.#address.href
    this.ready = new Promise((resolve, reject) => {
      const listener = (message: Posted<Received>) => {
        if (message.type === 'ready') resolve()
        receive(message)
      }
      this.#stop = receiveFrom(() => this.element.contentWindow, this.#address.origin, group, listener)
      this.element.addEventListener('load', () => setTimeout(() => reject(refusedFrame()), 3000), {
        once: true,
      })
    })
    this.ready.catch(() => undefined)
  }

  post(message: Sent): void {
    this.element.contentWindow?.postMessage({ payctl: this.group, ...message }, this.#address.origin)
  }

  /** Receives no more messages. */
  end(): void {
    this.#stop()
  }
}

function refusedFrame(): ComponentError {
  return componentError({
    error_type: 'Forbidden',
    error_description: `The fields did not load: is the client key active, and for pages of ${location.origin}?`,
  })
}
