import type { Details, Refusal } from '../frames/frame-message.js'

/** An error of a component: its data are the answer of the service, in the shape in which pages read it. */
export interface ComponentError extends Error {
  readonly data: Refusal & { readonly details: Details }
}

/** Details with a flat key for each nested one, as in `{ a: { b: 'x' }, 'a[b]': 'x' }`. */
function withFlatKeys(details: Details): Details {
  const flat: Record<string, unknown> = {}
  const collect = (value: unknown, path: string) => {
    if (value === null || typeof value !== 'object') flat[path] = value
    else for (const [name, inner] of Object.entries(value)) collect(inner, `${path}[${name}]`)
  }
  for (const [name, value] of Object.entries(details)) collect(value, name)
  return { ...flat, ...details }
}

/** An error with the answer of the service as its data. */
export function componentError({ error_type, error_description, details }: Refusal): ComponentError {
  const data = { error_type, error_description, details: withFlatKeys(details ?? {}) }
  return Object.assign(new Error(error_description), { data })
}

/** The answer of the service that an error has; for any other error, that the form could not be sent. */
export function refusalOf(error: unknown): Refusal {
  if (isComponentError(error)) return error.data
  return {
    error_type: 'BadRequest',
    error_description: error instanceof Error ? error.message : String(error),
  }
}

function isComponentError(error: unknown): error is ComponentError {
  return error instanceof Error && 'data' in error
}
