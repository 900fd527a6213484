import { brandOf } from '../fields/field-checks.js'
import { type Control, isControl, problemText } from '../fields/field-problem.js'

/** A field, or a group of choices. */
type FormField = Control | HTMLFieldSetElement

/** The fields of a form that are checked. */
export function fieldsOf(form: Element): FormField[] {
  return [...form.querySelectorAll('[data-missing], [data-wrong]')].filter(
    (element) => isControl(element) || element instanceof HTMLFieldSetElement,
  )
}

/** Shows the brand of a card beside the label of its number. */
export function showBrand(field: HTMLInputElement): void {
  const label = field.parentElement?.querySelector('label')
  if (!label) return
  const brand = label.querySelector('.brand') ?? label.appendChild(document.createElement('span'))
  brand.className = 'brand'
  brand.textContent = brandOf(field.value) ?? ''
}

/** The text of a field's problem; undefined for none. A missing value is one only when the form is sent. */
export function textOf(field: FormField, isSending: boolean): string | undefined {
  if (isControl(field)) return problemText(field, isSending)
  return isSending && !field.querySelector(':checked') ? field.dataset['missing'] : undefined
}

/** Shows a problem beside its field, or removes the one that is there. */
export function mark(field: FormField, text: string | undefined): void {
  const id = `${field.id}-error`
  document.getElementById(id)?.remove()
  const described = (field.getAttribute('aria-describedby') ?? '').split(' ')
  const others = described.filter((one) => one !== '' && one !== id)
  if (text === undefined) field.removeAttribute('aria-invalid')
  else {
    const error = document.createElement('p')
    error.id = id
    error.className = 'error'
    error.textContent = text
    if (field instanceof HTMLFieldSetElement) field.querySelector('legend')?.after(error)
    else {
      field.before(error)
      field.setAttribute('aria-invalid', 'true')
    }
    others.push(id)
  }
  if (others.length === 0) field.removeAttribute('aria-describedby')
  else field.setAttribute('aria-describedby', others.join(' '))
}
