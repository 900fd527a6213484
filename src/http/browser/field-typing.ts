/** Formatting of a field while it is typed into, for scripts that begin with the checks of fields; plain JavaScript. */
export const FIELD_TYPING = String.raw`
const FORMATS = { card_number: groupDigits, expiry: slashExpiry }

/** Formats a field without moving the caret away from the digit that was typed. */
function tidy(field, isDeleting) {
  if (isDeleting || !FORMATS[field.name]) return
  const caret = field.selectionStart
  const isAtEnd = caret === field.value.length
  const before = field.value.slice(0, caret).replace(/\D/g, '').length
  const formatted = FORMATS[field.name](field.value)
  if (formatted === field.value) return
  field.value = formatted
  let at = 0
  for (let seen = 0; seen < before; at++) if (/\d/.test(formatted[at])) seen++
  const place = isAtEnd ? formatted.length : at
  field.setSelectionRange(place, place)
}
`
