import { expectHtml } from '../../support/strict-html.js'

/**
 * A browser without scripts and without a screen: it keeps cookies, reads and sends forms, and follows
 * redirects.
 */
export interface Payer {
  get(path: string): Promise<Shown>
  /** Sends the form of a page, filled in; values already in the page are kept. */
  send(shown: Shown, filled: Readonly<Record<string, string>>): Promise<Shown>
}

export interface Shown {
  readonly status: number
  /** Final address after redirects. */
  readonly url: string
  readonly headers: Headers
  readonly text: string
  /** Fields of the page's form, by name. */
  readonly fields: ReadonlyMap<string, string>
}

export const CARD = {
  card_number: '4242 4242 4242 4242',
  expiry: '12/39',
  card_code: '123',
  account_holder: 'Ada Park',
  postal_code: '10001',
}

export const BANK = {
  account_holder: 'Ada Park',
  routing_number: '021000021',
  account_number: '1234567890',
  account_type: 'checking',
}

export function payerAt(address: string, more: Readonly<Record<string, string>> = {}): Payer {
  let cookie = ''
  const ask = async (url: string, init: RequestInit = {}): Promise<Shown> => {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, ...more, cookie },
    })
    cookie = response.headers.get('set-cookie')?.split(';', 1)[0] ?? cookie
    const location = response.headers.get('location')
    if (response.status === 303 && location !== null) return await ask(new URL(location, url).href)
    const text = await response.text()
    expectHtml(text)
    return { status: response.status, url, headers: response.headers, text, fields: fieldsOf(text) }
  }
  return {
    get: async (path) => await ask(new URL(path, address).href),
    async send({ url, text, fields }, filled) {
      const action = attribute(/<form method="post"[^>]*>/.exec(text)?.[0] ?? '', 'action')
      const body = new URLSearchParams({ ...Object.fromEntries(fields), ...filled })
      return await ask(new URL(action, url).href, { method: 'POST', body })
    },
  }
}

function fieldsOf(text: string): ReadonlyMap<string, string> {
  const inputs = [...text.matchAll(/<input([^>]*)>/g)].map(([, written = '']) => written)
  return new Map(
    inputs
      .filter((written) => !written.includes('type="radio"') || written.includes(' checked'))
      .map((written) => [attribute(written, 'name'), attribute(written, 'value')]),
  )
}

function attribute(written: string, name: string): string {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(written)?.[1] ?? ''
  return value.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}

/** The texts of a page, without its tags, its style and its script. */
export function wordsOf({ text }: Shown): string {
  return text
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ')
    .trim()
}
