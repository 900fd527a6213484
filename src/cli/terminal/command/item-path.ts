import { UsageError } from '../failure/failure.js'

/** Path of one object. Throws a `UsageError` for an empty id. */
export function itemPath(plural: string, id: string): string {
  expectId(plural, id)
  return `/${plural}/${encodeURIComponent(id)}`
}

/** Throws a `UsageError` for an empty id, as from a script's empty variable: its path would address all objects. */
export function expectId(plural: string, id: string): void {
  if (id.trim() === '') throw new UsageError(`Missing the id: it is empty (one of ${plural} is meant)`)
}
