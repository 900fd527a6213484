import type { Resource } from '../../../schema/resource.js'

/** Paths of lists below `/console/{environment}/` that are shorter than the paths of the API, by `object` name. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  billing_schedule: ['schedules'],
  payment_link: ['links'],
  exception: ['exceptions'],
  activity: ['activity'],
  api_key: ['settings', 'keys'],
  gateway: ['settings', 'gateways'],
  operator: ['settings', 'operators'],
  processing_account: ['settings', 'accounts'],
}

/** Segments of the console's list of a resource, as `['transactions']` or `['admin', 'keys']`. */
export function listPath({ name, plural }: Pick<Resource, 'name' | 'plural'>): readonly string[] {
  return SHORT[name] ?? plural.split('/')
}

/** Segments of the page of one object. */
export function objectPath(resource: Pick<Resource, 'name' | 'plural'>, id: string): readonly string[] {
  return [...listPath(resource), id]
}

/** Words for the list of a resource, as `Payment links`. */
export function listHeading({ plural }: Pick<Resource, 'plural'>): string {
  const words = plural.replace(/^admin\//, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
