/** Elements of a page that components find or change, and the storage of the browser; plain JavaScript. */
export const PAGE_EFFECTS = `
/** An element of the page, which may be given by its selector or id; undefined for none. */
function elementOf(given) {
  if (given === undefined || given === null || given === '') return undefined
  if (typeof given !== 'string') return given.nodeType === Node.ELEMENT_NODE ? given : given[0]
  return document.getElementById(given) ?? document.querySelector(given) ?? undefined
}

/** Reads or changes the session storage of this page; undefined if the browser refuses it. */
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
