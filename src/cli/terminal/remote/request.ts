import type { ClientRequest } from '../client/client.js'

/** Path and query as they are written over HTTP. The core must see what it would see here: each segment is encoded. */
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
  const wishes = [dryRun && 'dry-run', count && 'count=exact'].filter(Boolean)
  return {
    authorization: `Bearer ${key}`,
    accept: 'application/json',
    ...(type !== undefined && { 'content-type': type }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(wishes.length > 0 && { prefer: wishes.join(', ') }),
  }
}
