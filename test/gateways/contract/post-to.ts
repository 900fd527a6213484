import type { Posted } from './opened-rail.js'

/** Posts a notification. A failure is ignored, so the notification is lost. */
export async function postTo(url: string, { headers, body }: Posted): Promise<void> {
  await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) }).catch(() => undefined)
}
