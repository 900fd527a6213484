import { groupDigits, slashExpiry } from './field-checks.js'

const FORMATS = new Map([
  ['card_number', groupDigits],
  ['expiry', slashExpiry],
])

/** Formats a field while it is typed into, without moving the caret away from the digit that was typed. */
export function tidy(field: HTMLInputElement, event: Event): void {
  const isDeleting = event instanceof InputEvent && event.inputType.startsWith('delete')
  const format = FORMATS.get(field.name)
  if (isDeleting || !format) return
  const caret = field.selectionStart ?? field.value.length
  const isAtEnd = caret === field.value.length
  const before = field.value.slice(0, caret).replace(/\D/g, '').length
  const formatted = format(field.value)
  if (formatted === field.value) return
  field.value = formatted
  let at = 0
  for (let seen = 0; seen < before; at++) if (/\d/.test(formatted.charAt(at))) seen++
  const place = isAtEnd ? formatted.length : at
  field.setSelectionRange(place, place)
}
