/** The value at a path of names; undefined for none. */
export function valueAt(whole: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (value: unknown, name) =>
      typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined,
    whole,
  )
}
