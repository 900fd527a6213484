/** Errors of the components, in the shape in which pages read them; plain JavaScript. */
export const COMPONENT_ERRORS = `
/** Details with a flat key for each nested one, as in { a: { b: 'x' }, 'a[b]': 'x' }. */
function withFlatKeys(details) {
  const flat = {}
  const collect = (value, path) => {
    if (value === null || typeof value !== 'object') flat[path] = value
    else for (const [name, inner] of Object.entries(value)) collect(inner, path + '[' + name + ']')
  }
  for (const [name, value] of Object.entries(details)) collect(value, name)
  return { ...flat, ...details }
}

/** An error with the answer of the service as its data. */
function componentError({ error_type, error_description, details }) {
  const error = new Error(error_description)
  error.data = { error_type, error_description, details: withFlatKeys(details ?? {}) }
  return error
}
`
