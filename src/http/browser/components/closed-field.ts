import { componentError } from './component-errors.js'
import type { MountedField } from './page-field.js'

/** A secure field of a method that is not accepted: shows this before a number is typed. */
export class ClosedField implements MountedField {
  readonly isEmpty = true
  readonly ready: Promise<void>
  readonly element: Element

  constructor(element: Element, text: string) {
    this.element = element
    element.classList.add('pl-input')
    element.textContent = text
    const error_description = `${text}. Nothing was paid`
    this.ready = Promise.reject(componentError({ error_type: 'ServiceUnavailable', error_description }))
    this.ready.catch(() => undefined)
  }

  focus(): void {
    // There is nothing to type into.
  }

  clear(): void {
    // There is nothing to clear.
  }

  end(): void {
    this.element.textContent = ''
  }
}
