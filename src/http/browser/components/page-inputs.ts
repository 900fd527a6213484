import { type FieldForm, nameOf, SECURE } from './page-field.js'

/** Emits an event of an input that the page itself may read. */
export function reportInput(
  form: FieldForm,
  event: 'focus' | 'blur' | 'change',
  target: EventTarget | null,
): void {
  if (!isPageInput(target)) return
  target.classList.toggle('pl-focus', event === 'focus')
  form.emit(event, { target, ...(event === 'change' && 'value' in target && { value: target.value }) })
}

/** Removes the mark of an input that is typed into. */
export function reportTyping(form: FieldForm, target: EventTarget | null): void {
  if (!isPageInput(target) || !target.classList.contains(form.invalidClass)) return
  markInput(target, undefined, form.invalidClass)
  form.emit('valid', { target })
}

/** Marks an input as wrong, or removes the mark if `message` is undefined. */
export function markInput(element: Element, message: string | undefined, invalidClass: string): void {
  element.classList.toggle(invalidClass, message !== undefined)
  if (message === undefined) element.removeAttribute('aria-invalid')
  else element.setAttribute('aria-invalid', 'true')
}

/** The label of an element: one that names its id, one around it, or one just before it. */
export function labelOf(form: HTMLFormElement, element: HTMLElement): HTMLLabelElement | undefined {
  const { id, previousElementSibling: before } = element
  const named =
    id === '' ? undefined : [...form.querySelectorAll('label')].find(({ htmlFor }) => htmlFor === id)
  const isBefore = before instanceof HTMLLabelElement && !before.htmlFor
  return named ?? element.closest('label') ?? (isBefore ? before : undefined)
}

/** Whether the target of an event is an input of the form that the page itself reads. */
function isPageInput(target: EventTarget | null): target is Element {
  return target instanceof Element && nameOf(target) !== '' && !Object.hasOwn(SECURE, nameOf(target))
}
