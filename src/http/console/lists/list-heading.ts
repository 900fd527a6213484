import type { Resource } from '../../../schema/resource.js'

/** Words for the list of a resource, as `Payment links`. */
export function listHeading({ plural }: Pick<Resource, 'plural'>): string {
  const words = plural.replace(/^admin\//, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
