import type { Json } from './json.js'

/** A value with its attributes in the order of their names, so that equal values are the same text; itself where they are. */
export function orderedJson(value: Json): Json {
  return isOrdered(value) ? value : ordered(value)
}

/** Whether attributes are in order already, as those of a file with columns are: then nothing has to be copied. */
function isOrdered(value: Json): boolean {
  if (value === null || typeof value !== 'object') return true
  if (Array.isArray(value)) return value.every(isOrdered)
  let before = ''
  for (const name of Object.keys(value)) {
    if (name < before || !isOrdered(value[name] ?? null)) return false
    before = name
  }
  return true
}

function ordered(value: Json): Json {
  if (Array.isArray(value)) return value.map(ordered)
  if (value === null || typeof value !== 'object') return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, ordered(value[name] ?? null)]))
}
