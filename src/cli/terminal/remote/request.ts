import type { ClientRequest } from '../client/client.js'

/** Path and query for HTTP. Each segment is encoded, so that the core sees exactly the same path as locally. */
export function targetOf({ pathname }: URL, { path, query = [] }: ClientRequest): string {
  const segments = path.split('/').map(encodeURIComponent)
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  const place = `${pathname.replace(/\/+$/, '')}/${segments.join('/').replace(/^\//, '')}`
  return pairs.length > 0 ? `${place}?${pairs.join('&')}` : place
}

export function headersOf(
  { idempotencyKey, dryRun, count }: ClientRequest,
  key: string,
  type: string | undefined,
): Record<string, string> {
  const preferences = [dryRun && 'dry-run', count && 'count=exact'].filter(Boolean)
  return {
    authorization: `Bearer ${key}`,
    accept: 'application/json',
    ...(type !== undefined && { 'content-type': type }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(preferences.length > 0 && { prefer: preferences.join(', ') }),
  }
}
