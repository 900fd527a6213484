/** What components change of a page: a field of its form, and what its browser keeps; plain JavaScript. */
export const PAGE_EFFECTS = `
/** Reads or changes what the browser keeps for this page; undefined where it keeps nothing. */
function stored(change) {
  try {
    return change(sessionStorage) ?? undefined
  } catch {
    return undefined
  }
}

/** Puts an id into a form of the page, and submits the form if it should be. */
function submitWith(form, name, value, isSubmitted) {
  const field = form.querySelector('input[name="' + name + '"]') ?? document.createElement('input')
  field.type = 'hidden'
  field.name = name
  field.value = value
  form.append(field)
  if (isSubmitted) HTMLFormElement.prototype.submit.call(form)
}
`
